"""A function's signature as a validator."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, NamedTuple, Optional, TypeVar

import annotated_types
import attrs
import msgspec
import pydantic
import pytest
import typing_extensions
from annotated_doc import Doc
from fastmcp import Context as FastMCPContext  # noqa: TC002 - read when the test runs
from mcp.server.mcpserver import Context
from pydantic import Field

from toolgauge import CallContext, Failure, Gate, Success, standardize, tool
from toolgauge.contract import ToolgaugeError, compile_schema
from toolgauge.standard import (
    ContextUnavailable,
    UncallableSignature,
    UnresolvedAnnotation,
)
from toolgauge.standard.errors import InvalidAnswer, MissingLibrary, NoJsonSchema
from toolgauge.standard.functions.annotations import spelled

if TYPE_CHECKING:
    from decimal import Decimal as OnlyForCheckers
    from pathlib import Path

    from no_such_library import Unknown  # type: ignore[import-not-found]

T = TypeVar("T")


class Mode(Enum):
    FAST = "fast"
    SLOW = "slow"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]
    good: bool = True


class Box(pydantic.BaseModel, Generic[T]):
    content: T


class Strict(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(strict=True)
    mode: Mode
    pair: tuple[int, int]


@dataclass
class Node:
    name: str
    children: list[Node] = field(default_factory=list)


class Pair(NamedTuple):
    left: int
    right: str = "r"


class Struct(msgspec.Struct):
    a: int
    rest: list[Struct] = msgspec.field(default_factory=list)


@attrs.define
class Point:
    x: int
    y: int = 0


class Even:
    """Speaks the protocol itself."""

    __standard_schema__ = standardize({"type": "integer", "multipleOf": 2}).__standard_schema__


def schema_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Give the schema that a function's arguments have."""
    schemas = standardize(function).__standard_schema__.json_schema
    assert schemas is not None
    return dict(schemas.input("draft-2020-12"))


def bound(function: Callable[..., Any], arguments: object) -> Any:
    """Give what a function would be called with."""
    found = standardize(function).__standard_schema__.validate(arguments)
    assert isinstance(found, Success), found
    return found.value


def refused(function: Callable[..., Any], arguments: object) -> list[str]:
    """Give the places where arguments are refused."""
    found = standardize(function).__standard_schema__.validate(arguments)
    assert isinstance(found, Failure), found
    return [each.pointer for each in found.issues]


def shapes(  # noqa: PLR0917 - one of everything
    a: int,
    b: float,
    c: bool,
    d: list[int],
    e: dict[str, int],
    f: set[int],
    g: tuple[int, str],
    h: Literal["x", 1, None],  # noqa: PYI061 - this spelling too
    i: Mode,
    j: Level,
    k: Annotated[Cat | Dog, Field(discriminator="kind")],
    l: Box[int],  # noqa: E741 - one letter each
    m: Node,
    n: Pair,
    o: Struct,
    p: Point,
    q: Optional[Strict],  # noqa: UP045 - this spelling too
    r: Decimal,
    s: Even,
    t: list[Struct | Point],
    u: Any,
    v: object = None,
) -> None:
    """Take one of everything."""


GOOD: dict[str, Any] = {
    "a": 1.0,
    "b": 1,
    "c": True,
    "d": [1],
    "e": {"x": 1},
    "f": [1, 2],
    "g": [1, "x"],
    "h": None,
    "i": "fast",
    "j": 2,
    "k": {"kind": "cat", "lives": 9},
    "l": {"content": 1},
    "m": {"name": "root", "children": [{"name": "leaf"}]},
    "n": [1],
    "o": {"a": 1, "rest": [{"a": 2}]},
    "p": {"x": 1},
    "q": {"mode": "slow", "pair": [1, 2]},
    "r": "1.50",
    "s": 4,
    "t": [{"a": 1}, {"x": 2}],
    "u": {"any": ["thing"]},
}
BAD: list[tuple[str, Any, str]] = [
    ("a", "1", "/a"),
    ("a", 1.5, "/a"),
    ("a", True, "/a"),
    ("b", "1.0", "/b"),
    ("c", 1, "/c"),
    ("d", [1, "2"], "/d/1"),
    ("e", {"x": "y"}, "/e/x"),
    ("f", [1, 1.5], "/f/1"),
    ("g", [1], "/g"),
    ("h", "y", "/h"),
    ("i", "FAST", "/i"),
    ("j", 3, "/j"),
    ("k", {"kind": "cat"}, "/k"),
    ("k", {"kind": "cow"}, "/k"),
    ("l", {"content": "1"}, "/l/content"),
    ("m", {"name": "root", "children": [{"name": 1}]}, "/m/children/0/name"),
    ("n", [1, 2], "/n/1"),
    ("o", {"a": 1, "rest": [{"a": "2"}]}, "/o/rest/0/a"),
    ("p", {"x": "1"}, "/p/x"),
    ("q", {"mode": "slow", "pair": [1, "2"]}, "/q"),
    ("r", "abc", "/r"),
    ("s", 3, "/s"),
    ("t", [{"x": 1, "y": "z"}], "/t/0"),
]


def test_every_shape_of_type_is_bound() -> None:
    """JSON in, what the annotations say out."""
    found = bound(shapes, GOOD)

    assert isinstance(found["a"], int)
    assert {1, 2} == found["f"]
    assert (1, "x") == found["g"]
    assert (Mode.FAST, Level.HIGH) == (found["i"], found["j"])
    assert Cat(kind="cat", lives=9) == found["k"]
    assert Box[int](content=1) == found["l"]
    assert Node("root", [Node("leaf")]) == found["m"]
    assert Pair(1) == found["n"]
    assert Struct(a=1, rest=[Struct(a=2)]) == found["o"]
    assert Point(1) == found["p"]
    assert Strict(mode=Mode.SLOW, pair=(1, 2)) == found["q"]
    assert "1.50" == str(found["r"])
    assert [Struct(a=1), Point(2)] == found["t"]
    assert found["v"] is None


@pytest.mark.parametrize(("name", "value", "place"), BAD)
def test_every_shape_of_type_refuses_what_it_is_not(name: str, value: object, place: str) -> None:
    """At its place. Texts are no numbers, and numbers no booleans."""
    assert place in refused(shapes, {**GOOD, name: value})


def test_a_strict_model_takes_a_whole_number_for_an_integer() -> None:
    """As JSON Schema does: 2.0 is an integer."""
    found = bound(shapes, {**GOOD, "q": {"mode": "slow", "pair": [1.0, 2]}, "u": 2.0})

    assert (1, 2) == found["q"].pair
    assert ["/r"] == refused(shapes, {**GOOD, "r": "abc", "u": 2.0})


@pytest.mark.parametrize("name", list(GOOD))
def test_every_parameter_without_a_default_is_required(name: str) -> None:
    """Left out, it is reported where it should be."""
    assert [f"/{name}"] == refused(shapes, {k: v for k, v in GOOD.items() if k != name})


def test_the_schema_is_closed_and_says_no_more_than_it_must() -> None:
    """An object, nothing undeclared, no titles that repeat a name."""
    schema = schema_of(shapes)

    assert compile_schema(schema).problem is None
    assert "object" == schema["type"]
    assert schema["additionalProperties"] is False
    assert '"title"' not in json.dumps(schema)
    assert json.loads(json.dumps(schema)) == schema
    assert [""] == refused(shapes, {**GOOD, "z": 1})


def test_classes_of_other_libraries_become_shared_definitions() -> None:
    """Once each, however often they occur."""
    defs = schema_of(shapes)["$defs"]

    assert {"Cat", "Dog", "Node", "Struct", "Point", "Mode", "Level", "Strict"} <= defs.keys()
    assert [name for name in defs if name.startswith("Struct")] == ["Struct"]


def test_two_classes_of_one_name_stay_two() -> None:
    """The second gets a number."""

    def make() -> type:
        return msgspec.defstruct("Struct", [("b", str)], namespace={"__module__": "elsewhere"})

    def function(a: Any, b: Any) -> None: ...

    function.__annotations__ = {"a": Struct, "b": make()}
    defs = schema_of(function)["$defs"]

    assert {"Struct", "Struct__2"} == defs.keys()
    assert "Struct" == bound(function, {"a": {"a": 1}, "b": {"b": "x"}})["b"].__class__.__name__


def test_parameters_may_be_called_anything() -> None:
    """Names that models do not like are fine for functions."""

    def function(  # noqa: PLR0917 - one of each kind
        schema: int,
        model_config: int,
        _x: int,
        json: int,
        copy: int,
        validate: int,
        model_fields: int = 1,
        klass: Annotated[int, Field(alias="class")] = 2,
    ) -> None: ...

    names = ["schema", "model_config", "_x", "json", "copy", "validate"]
    found = bound(function, {**dict.fromkeys(names, 1), "class": 3})

    assert [*names, "model_fields", "class"] == list(schema_of(function)["properties"])
    assert 3 == found["klass"]


def test_defaults_are_published_in_their_json_form() -> None:
    """Where they have one, and where a caller could send it."""

    def function(  # noqa: PLR0917 - one of each kind
        mode: Mode = Mode.SLOW,
        at: Pair = Pair(1),  # noqa: B008 - it is immutable
        many: list[int] = [1, 2],  # noqa: B006 - it is copied
        fresh: list[int] = Field(default_factory=list),  # noqa: B008 - as FastMCP writes it
        bounded: int = Field(3, ge=1, description="bounded"),
        implicit: int = None,  # type: ignore[assignment]  # noqa: RUF013 - old code is full of it
        odd: Any = object(),  # noqa: B008 - it has no JSON form
    ) -> None: ...

    properties = schema_of(function)["properties"]
    first, second = bound(function, {}), bound(function, {})

    assert "required" not in schema_of(function)
    assert "slow" == properties["mode"]["default"]
    assert [1, "r"] == properties["at"]["default"]
    assert [1, 2] == properties["many"]["default"]
    assert {"default": 3, "minimum": 1, "description": "bounded", "type": "integer"} == (
        properties["bounded"]
    )
    assert all("default" not in properties[name] for name in ("fresh", "implicit", "odd"))
    assert Mode.SLOW is first["mode"]
    assert first["fresh"] is not second["fresh"]
    assert first["implicit"] is None
    assert ["/bounded"] == refused(function, {"bounded": 0})


def test_descriptions_come_from_metadata_then_from_the_docstring() -> None:
    """A bare text, ``Doc``, pydantic's ``Field`` and msgspec's ``Meta``."""

    def function(  # noqa: D417, PLR0917 - one of each kind
        a: Annotated[int, "of a"],
        b: Annotated[int, Doc("of b")],
        c: Annotated[int, Field(description="of c", lt=5)],
        d: Annotated[int, msgspec.Meta(description="of d", ge=3)],
        e: Annotated[list[Annotated[int, annotated_types.Gt(0)]], annotated_types.Len(1)],
        f: Node,
        g: int = 0,
    ) -> None:
        """Do it.

        Args:
            a: not used
            e: of e,
                in two lines
            f (Node): of f
            g: of g. Defaults to 0.
        """

    properties = schema_of(function)["properties"]

    assert ["of a", "of b", "of c", "of d", "of e,\nin two lines", "of f"] == [
        properties[name]["description"] for name in "abcdef"
    ]
    assert "of g" in properties["g"]["description"]
    assert 5 == properties["c"]["exclusiveMaximum"]
    assert 3 == properties["d"]["minimum"]
    assert {"exclusiveMinimum": 0, "type": "integer"} == properties["e"]["items"]
    assert 1 == properties["e"]["minItems"]
    assert "#/$defs/Node" == properties["f"]["$ref"]


DOCSTRINGS = [
    """Find things.

    More of it.

    Args:
        query: what to find
        limit: how many
    """,
    """Find things.

    More of it.

    Parameters
    ----------
    query : str
        what to find
    limit : int, optional
        how many
    """,
    """Find things.

    More of it.

    :param query: what to find
    :param int limit: how many
    :returns: things
    """,
]


@pytest.mark.parametrize("text", DOCSTRINGS, ids=["google", "numpy", "sphinx"])
def test_three_styles_of_docstring_are_read(text: str) -> None:
    """The description of the tool is the text without its sections."""

    def find(query: str, limit: int = 3) -> None: ...

    find.__doc__ = text
    made = tool(find)

    assert "Find things.\n\nMore of it." == made.description
    assert ["what to find", "how many"] == [
        each["description"] for each in made.input_schema["properties"].values()
    ]


def test_a_docstring_that_nobody_can_read_is_a_text() -> None:
    """Or none at all."""

    def odd(x: int) -> None: ...

    odd.__doc__ = ":param:\n:"
    assert tool(odd).description
    odd.__doc__ = "x" * 200_000
    assert 200_000 == len(tool(odd).description)
    odd.__doc__ = None
    assert "" == tool(odd).description


def test_names_for_type_checkers_alone_are_found() -> None:
    """In the module's source, as a type checker finds them."""

    def function(x: OnlyForCheckers, y: list[OnlyForCheckers]) -> None: ...

    assert {"x": Decimal("1.5"), "y": [Decimal(2)]} == bound(function, {"x": "1.5", "y": ["2"]})


MODULE = """
from __future__ import annotations
import typing
from typing import TYPE_CHECKING
if typing.TYPE_CHECKING:
    import decimal as d
    import collections.abc
    from . import sibling
    from .sibling import Thing as Renamed
    from ..... import far
    from os import nothing_like_it

def good(a: d.Decimal, b: collections.abc.Sequence[int], c: sibling.Thing, e: Renamed): ...
def bad(a: nothing_like_it): ...
def beyond(a: far): ...
"""


def test_every_form_of_import_for_type_checkers_is_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Modules, aliases, relative imports; what is not there is named."""
    package = tmp_path / "specimen_package"
    package.mkdir()
    (package / "__init__.py").write_text("", "utf-8")
    (package / "sibling.py").write_text("class Thing(dict[str, int]): ...", "utf-8")
    (package / "functions.py").write_text(MODULE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("specimen_package", "specimen_package.functions", "specimen_package.sibling"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    module = importlib.import_module("specimen_package.functions")

    from toolgauge.standard.functions.signature import read_signature

    signature = read_signature(module.good)
    assert ["a", "b", "c", "e"] == [each.name for each in signature.parameters]
    for function in (module.bad, module.beyond):
        with pytest.raises(UnresolvedAnnotation) as caught:
            read_signature(function)
        assert "a" == caught.value.parameter


def test_names_of_the_enclosing_function_are_found() -> None:
    """Where the function itself uses them."""

    class Local(pydantic.BaseModel):
        x: int

    def function(a: Local) -> int:
        return Local(x=1).x + a.x

    assert {"a": Local(x=1)} == bound(function, {"a": {"x": 1}})


def test_an_annotation_that_cannot_be_resolved_is_named() -> None:
    """Function, parameter, annotation, and what happened."""

    def missing(x: Unknown) -> None: ...

    def broken(x: int) -> None: ...

    def returning(x: int) -> Unknown: ...

    broken.__annotations__ = {"x": "list[int"}
    for function, name, written in (
        (missing, "x", "Unknown"),
        (broken, "x", "list[int"),
        (returning, "return", "Unknown"),
    ):
        with pytest.raises(UnresolvedAnnotation) as caught:
            tool(function)
        assert (function.__name__, name, written) == (
            caught.value.function,
            caught.value.parameter,
            caught.value.annotation,
        )
    assert tool(output=None)(returning).output_schema is None


def test_a_function_without_a_module_has_its_annotations_all_the_same() -> None:
    """Nothing is looked up then; code that was made from a text has no source to read."""
    namespace: dict[str, Any] = {"__name__": "nowhere_at_all"}
    exec("def made(x: 'int', y: 'Gone' = 1): ...", namespace)  # noqa: S102 - our own text

    with pytest.raises(UnresolvedAnnotation) as caught:
        standardize(namespace["made"])
    assert "y" == caught.value.parameter


def test_annotations_are_spelled_as_they_are_written() -> None:
    """Strings, references, classes, and anything else."""
    from typing import ForwardRef

    assert ["a.B", "C", "int", "list[int]"] == [
        spelled(each) for each in ("a.B", ForwardRef("C"), int, list[int])
    ]


def _positional(a: int, /) -> None: ...
def _args(*many: int) -> None: ...
def _kwargs(**named: int) -> None: ...
def _bare(a) -> None: ...  # type: ignore[no-untyped-def]  # noqa: ANN001 - what is tested
def _generator(a: int) -> Iterator[int]:
    yield a


async def _async_generator(a: int) -> Any:
    yield a


class Holder:
    factor = 10

    def method(self, a: int) -> int:
        """Multiply."""
        return a * self.factor

    async def later(self, a: int) -> int:
        return a * self.factor

    @classmethod
    def of_class(cls, a: int) -> int:
        return a * cls.factor

    @staticmethod
    def of_nobody(a: int) -> int:
        return a

    def __call__(self, a: int) -> int:
        """Call it."""
        return a + self.factor


class Later:
    async def __call__(self, a: int) -> int:
        return a + 1


def _callback(a: Callable[[int], int]) -> None: ...


class _Plain: ...


def _arbitrary(b: int, a: _Plain) -> None: ...


UNCALLABLE = [
    (_positional, "a"),
    (_args, "*many"),
    (_kwargs, "**named"),
    (_bare, "a"),
    (Holder.method, "self"),
    (_generator, ""),
    (_async_generator, ""),
    (_callback, "a"),
    (_arbitrary, "a"),
    (Holder, ""),
    (dict.fromkeys, "iterable"),
    (dict, ""),
    (max, ""),
]


@pytest.mark.parametrize(("function", "parameter"), UNCALLABLE)
def test_what_no_named_json_value_can_fill_is_refused_by_name(
    function: Callable[..., Any], parameter: str
) -> None:
    """When the tool is made, never when it is called."""
    with pytest.raises(UncallableSignature) as caught:
        tool(function)

    assert parameter == caught.value.parameter


def test_too_many_parameters_are_refused() -> None:
    """A bound like every other."""
    names = ", ".join(f"p{number}: int = 0" for number in range(1_001))
    namespace: dict[str, Any] = {}
    exec(f"def many({names}): ...", namespace)  # noqa: S102 - our own text

    with pytest.raises(UncallableSignature):
        tool(namespace["many"])


def _scaled(a: int, factor: int, secret: str = "s") -> int:  # noqa: S107 - hidden by a partial
    return a * factor * len(secret)


@functools.wraps(_scaled)
def _wrapper(*args: Any, **kwargs: Any) -> int:
    return _scaled(*args, **kwargs) + 1


CALLABLES: list[tuple[Callable[..., Any], str, int]] = [
    (Holder().method, "method", 20),
    (Holder().later, "later", 20),
    (Holder.of_class, "of_class", 20),
    (Holder.of_nobody, "of_nobody", 2),
    (Holder(), "Holder", 12),
    (Later(), "Later", 3),
    (functools.partial(_scaled, factor=3, secret="xx"), "_scaled", 12),
    (functools.partial(functools.partial(_scaled, factor=3), secret="xx"), "_scaled", 12),
    (functools.partial(Holder().later), "later", 20),
    (functools.partial(_wrapper, factor=3, secret="xx"), "_scaled", 13),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("function", "name", "result"), CALLABLES)
async def test_methods_partials_wrappers_and_callable_objects_are_tools(
    function: Callable[..., Any], name: str, result: int
) -> None:
    """What is bound already is neither asked for nor published."""
    made = tool(function)
    answer = await Gate([made]).call(name, {"a": 2})

    assert ["a"] == list(made.input_schema["properties"])
    assert str(result) == answer.content[0]["text"]


def test_a_lambda_needs_a_name() -> None:
    """It has none of its own; and no annotations either."""
    with pytest.raises(ToolgaugeError):
        tool(lambda: 1)

    assert "one" == tool(name="one")(lambda: 1).name


def _call(a: int, call: CallContext) -> list[Any]:
    return [a, call.tool, call.request]


def _maybe(a: int, call: CallContext | None = None) -> list[Any]:
    return [a, call is not None]


def _marked(a: int, call: Annotated[CallContext, "the call"]) -> list[Any]:
    return [a, call.tool]


def _sdk(a: int, ctx: Context[Any, Any]) -> list[Any]:
    return [a, type(ctx).__name__]


def _sdk_maybe(a: int, ctx: Context | None) -> list[Any]:
    return [a, ctx is None]


def _sdk_default(a: int, ctx: Context = None) -> list[Any]:  # type: ignore[assignment]
    return [a, ctx is None]


def _fastmcp(a: int, ctx: FastMCPContext | None = None) -> list[Any]:
    return [a, ctx is None]


def _two(a: int, one: CallContext, two: Optional[CallContext]) -> list[Any]:  # noqa: UP045
    return [a, one is two]


INJECTED: list[tuple[Callable[..., Any], object, str]] = [
    (_call, "me", '[1,"_call","me"]'),
    (_maybe, None, "[1,true]"),
    (_marked, None, '[1,"_marked"]'),
    (_sdk, Context(), '[1,"Context"]'),
    (_sdk_maybe, None, "[1,true]"),
    (_sdk_maybe, Context(), "[1,false]"),
    (_sdk_default, None, "[1,true]"),
    (_fastmcp, None, "[1,true]"),
    (_two, None, "[1,true]"),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("function", "request_", "text"), INJECTED)
async def test_a_context_is_injected_and_never_published(
    function: Callable[..., Any], request_: object, text: str
) -> None:
    """Ours in every call; a library's where the call came through it, or ``None``."""
    made = tool(function)
    answer = await Gate([made]).call(made.name, {"a": 1}, request_)

    assert ["a"] == list(made.input_schema["properties"])
    assert text == answer.content[0]["text"]


def test_the_context_of_the_sdks_request_is_wrapped() -> None:
    """At the SDK's own endpoint a request is what its ``Context`` is built around."""
    from mcp.server.context import ServerRequestContext

    from toolgauge.contract import enter_call, leave_call
    from toolgauge.standard.functions.contexts import ContextParameter

    request = ServerRequestContext.__new__(ServerRequestContext)
    token = enter_call(CallContext(tool="t", request=request))
    try:
        wanted = ContextParameter(function="f", name="ctx", wanted=Context, is_optional=False)
        found = wanted.supply()
    finally:
        leave_call(token)

    assert isinstance(found, Context)
    assert request is found.request_context


@pytest.mark.anyio
async def test_a_library_context_that_is_not_there_is_named() -> None:
    """The function asks for what this call does not have."""
    with pytest.raises(ContextUnavailable) as caught:
        await Gate([tool(_sdk)]).call("_sdk", {"a": 1})

    assert ("_sdk", "ctx", "Context") == (
        caught.value.function,
        caught.value.parameter,
        caught.value.wanted,
    )


def test_outside_of_a_call_a_function_gets_a_context_that_knows_only_its_name() -> None:
    """Whoever runs a handler by hand needs no gate."""
    handler = tool(_call).handler
    assert handler is not None

    assert [1, "_call", None] == handler({"a": 1})


def test_a_union_that_holds_a_context_beside_other_types_is_an_argument() -> None:
    """It could be anything of these: nobody could inject it."""

    def function(a: CallContext | int) -> None: ...

    assert "a" in schema_of(function)["properties"]


def test_a_schema_of_its_own_is_published_verbatim_and_the_signature_still_holds() -> None:
    """Both are asked."""

    def function(a: int) -> int:
        return a

    made = tool(parameters={"type": "object", "x": 1})(function)
    assert made.validate is not None

    assert {"type": "object", "x": 1} == made.input_schema
    assert isinstance(made.validate({"a": "1"}), Failure)


def test_an_async_validator_cannot_check_a_part_of_an_argument() -> None:
    """No part of pydantic waits for it."""

    class Slow:
        __standard_schema__ = dataclasses.replace(Even.__standard_schema__, validate=_later)

    def function(a: list[Slow]) -> None: ...

    with pytest.raises(InvalidAnswer):
        bound(function, {"a": [2]})


async def _later(value: object) -> Any:
    return Success(value)


def test_a_validator_that_names_no_reason_refuses_all_the_same() -> None:
    """An empty list of issues is a refusal (decision S3)."""

    class Never:
        __standard_schema__ = dataclasses.replace(
            Even.__standard_schema__, validate=lambda _: Failure(())
        )

    def function(a: list[Never]) -> None: ...

    assert ["/a/0"] == refused(function, {"a": [2]})


def test_a_class_of_another_library_without_a_schema_is_an_error() -> None:
    """Nothing is published in its place."""

    class Mute:
        __standard_schema__ = dataclasses.replace(Even.__standard_schema__, json_schema=None)

    def function(a: Mute) -> None: ...

    with pytest.raises(NoJsonSchema):
        tool(function)


def test_what_is_no_json_value_is_refused() -> None:
    """Callers in the same process may pass anything."""

    def function(a: Any) -> None: ...

    found = standardize(function).__standard_schema__.validate({"a": object()})
    assert isinstance(found, Failure)


def test_the_output_schema_of_arguments_is_their_serialized_form() -> None:
    """For whoever asks the protocol in both directions."""
    schemas = standardize(_scaled).__standard_schema__.json_schema
    assert schemas is not None

    assert "object" == schemas.output("draft-2020-12")["type"]


def test_without_pydantic_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is what reads annotations."""
    monkeypatch.setitem(sys.modules, "toolgauge.standard.functions.arguments", None)

    with pytest.raises(MissingLibrary) as caught:
        tool(_scaled)
    assert "pydantic" == caught.value.extra


def test_type_aliases_and_typing_extensions_are_understood() -> None:
    """Recursive ones too."""
    tree = typing_extensions.TypeAliasType("tree", "dict[str, tree] | int")  # type: ignore[misc]

    def function(a: Any) -> None: ...

    function.__annotations__ = {"a": tree}
    assert {"a": {"x": {"y": 1}}} == bound(function, {"a": {"x": {"y": 1}}})
    assert refused(function, {"a": {"x": "y"}})
