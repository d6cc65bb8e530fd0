"""Whatever an object is, it ends up behind one protocol, or is refused by name."""

from __future__ import annotations

import dataclasses
import sys
import types
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypedDict

import annotated_types
import attrs
import marshmallow
import msgspec
import pydantic
import pytest

from toolgauge import tool
from toolgauge.contract import Failure, Issue, Result, Success
from toolgauge.standard import (
    Adapted,
    InvalidAnswer,
    InvalidStandard,
    JsonSchemas,
    MissingLibrary,
    Props,
    Standard,
    UnknownValidator,
    _vendors,
    standardize,
)

if TYPE_CHECKING:
    from pathlib import Path


def accept(value: object) -> Result[Any]:
    """Take anything."""
    return Success(value)


PROPS = Props[Any](vendor="own", validate=accept)


class Carrier:
    """A class that carries the attribute, and so do its objects."""

    __standard_schema__ = PROPS


class PerObject:
    """Its objects conform, the class does not."""

    @property
    def __standard_schema__(self) -> Props[Any]:
        """Give the props."""
        return PROPS


class Point(TypedDict):
    x: int


class Pair(NamedTuple):
    x: int
    tags: list[str] = []  # noqa: RUF012 - what the adapter has to cope with


@pytest.mark.parametrize(
    "obj", [Carrier, Carrier(), PerObject()], ids=["class", "object", "property"]
)
def test_what_conforms_is_left_as_it_is(obj: object) -> None:
    """The very object, not a wrapper."""
    assert obj is standardize(obj)


def test_a_wrapper_conforms_too() -> None:
    """Asked twice, nothing is wrapped twice."""
    once = standardize({"type": "string"})

    assert once is standardize(once)
    assert isinstance(once, Standard)


def _foreign(validate: Callable[[object], object], **more: object) -> dict[str, object]:
    return {"version": 1, "vendor": "foreign", "validate": validate, **more}


FOREIGN: dict[str, object] = {
    "mapping key": {"~standard": _foreign(accept)},
    "attribute": types.new_class(
        "Schema", exec_body=lambda ns: ns.update({"~standard": _foreign(accept)})
    ),
    "namespace": {"~standard": SimpleNamespace(**_foreign(accept))},
    "props": {"~standard": PROPS},
    "own name, a mapping": SimpleNamespace(__standard_schema__=_foreign(accept)),
}


@pytest.mark.parametrize("obj", FOREIGN.values(), ids=FOREIGN)
def test_standard_schemas_own_shapes_are_wrapped(obj: Any) -> None:
    """Callers see ``Props`` whatever lies there; ``types`` is not looked at."""
    props = standardize(obj).__standard_schema__

    assert isinstance(props, Props)
    assert Success(5) == props.validate(5)
    assert 1 == props.version


ANSWERS: list[tuple[object, object]] = [
    ({"value": 1}, Success(1)),
    ({"value": None}, Success(None)),
    ({"value": 1, "issues": None}, Success(1)),
    (SimpleNamespace(value=2), Success(2)),
    (Success(3), Success(3)),
    ({"issues": []}, Failure(())),
    ({"issues": (), "value": 1}, Failure(())),
    ({"issues": [{"message": "m"}]}, Failure((Issue(message="m"),))),
    ({"issues": [{"message": "m", "path": None}]}, Failure((Issue(message="m"),))),
    (
        {"issues": [{"message": "m", "path": ["a", {"key": "b"}, {"key": 0}, 1, 2.0, 1.5]}]},
        Failure((Issue(path=("a", "b", 0, 1, 2, "1.5"), message="m"),)),
    ),
    (
        {"issues": [SimpleNamespace(message="m", path=[SimpleNamespace(key="k"), True])]},
        Failure((Issue(path=("k", "True"), message="m"),)),
    ),
    (Failure((Issue(message="m"),)), Failure((Issue(message="m"),))),
    (
        {"issues": [Issue(message="m", keyword="type")]},
        Failure((Issue(message="m", keyword="type"),)),
    ),
]


@pytest.mark.parametrize(("answer", "expected"), ANSWERS)
def test_answers_are_read_in_each_allowed_shape(answer: object, expected: object) -> None:
    """Of a mapping or of attributes; a failure is where issues are not null (S3, S4)."""
    schema = standardize({"~standard": _foreign(lambda _: answer)})

    assert expected == schema.__standard_schema__.validate(0)


@pytest.mark.anyio
async def test_an_answer_may_be_awaited() -> None:
    """And is read in the same way then."""

    async def validate(value: object) -> object:
        return {"value": value}

    result = standardize({"~standard": _foreign(validate)}).__standard_schema__.validate(4)

    assert not isinstance(result, Success | Failure)
    assert Success(4) == await result


@pytest.mark.anyio
async def test_what_an_awaited_validator_raises_is_its_own_fault() -> None:
    """As for one that is not awaited."""

    async def validate(value: object) -> object:
        raise KeyError(value)

    result = standardize({"~standard": _foreign(validate)}).__standard_schema__.validate(4)

    assert not isinstance(result, Success | Failure)
    with pytest.raises(InvalidAnswer) as caught:
        await result
    assert isinstance(caught.value.__cause__, KeyError)


def _raise(value: object) -> object:
    raise ZeroDivisionError(value)


BROKEN: dict[str, Callable[[object], object]] = {
    "raises": _raise,
    "nothing": lambda _: None,
    "true": lambda _: True,
    "an empty mapping": lambda _: {},
    "issues that are a text": lambda _: {"issues": "bad"},
    "issues that are a number": lambda _: {"issues": 1},
    "an issue without a message": lambda _: {"issues": [{"path": []}]},
    "a path that is a text": lambda _: {"issues": [{"message": "m", "path": "a.b"}]},
}


@pytest.mark.parametrize("validate", BROKEN.values(), ids=BROKEN)
def test_a_broken_validator_is_no_verdict(validate: Callable[[object], object]) -> None:
    """An exception that names the vendor, never "invalid input"."""
    schema = standardize({"~standard": _foreign(validate)})

    with pytest.raises(InvalidAnswer) as caught:
        schema.__standard_schema__.validate({"a": 1})
    assert "foreign" == caught.value.vendor
    assert caught.value.found in str(caught.value)


def test_a_validator_that_raises_is_the_cause() -> None:
    """The traceback leads to the user's own code."""
    with pytest.raises(InvalidAnswer) as caught:
        standardize({"~standard": _foreign(_raise)}).__standard_schema__.validate(1)

    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_model_whose_own_code_raises_is_broken_too() -> None:
    """Adapters are guarded alike."""

    class Model(pydantic.BaseModel):
        x: int

        @pydantic.field_validator("x")
        @classmethod
        def divide(cls, value: int) -> int:
            return 1 // value

    schema = standardize(Model).__standard_schema__

    assert isinstance(schema.validate({"x": 1}), Success)
    with pytest.raises(InvalidAnswer):
        schema.validate({"x": 0})


class Exploding:
    """Its attribute raises."""

    @property
    def __standard_schema__(self) -> Props[Any]:
        """Raise."""
        raise RuntimeError


MISUSED: dict[str, object] = {
    "version 2": {"~standard": {**_foreign(accept), "version": 2}},
    "no version": {"~standard": {"vendor": "v", "validate": accept}},
    "version true": {"~standard": {**_foreign(accept), "version": True}},
    "no validate": {"~standard": {"version": 1, "vendor": "v"}},
    "validate is no function": {"~standard": {**_foreign(accept), "validate": "yes"}},
    "no vendor": {"~standard": {"version": 1, "validate": accept}},
    "an empty vendor": {"~standard": {**_foreign(accept), "vendor": ""}},
    "a text": {"~standard": "zod"},
    "the class of a property": PerObject,
    "an attribute that raises": Exploding(),
    "props of version 2": SimpleNamespace(
        __standard_schema__=dataclasses.replace(PROPS, version=2)
    ),
    "a JSON Schema without output": {"~standard": _foreign(accept, json_schema={"input": dict})},
}


@pytest.mark.parametrize("obj", MISUSED.values(), ids=MISUSED)
def test_misuse_is_an_error_of_the_program(obj: object) -> None:
    """Found when the object is used, and said."""
    with pytest.raises(InvalidStandard) as caught:
        standardize(obj)

    assert caught.value.found
    assert caught.value.found in str(caught.value)


def test_json_schema_is_asked_in_each_ones_own_way() -> None:
    """A dialect's name in Python, an object of options in JavaScript's shape."""
    asked: list[object] = []

    def way(target: object) -> dict[str, object]:
        asked.append(target)
        return {}

    ways = {"input": way, "output": way}
    for name in ("json_schema", "jsonSchema"):
        found = standardize({"~standard": _foreign(accept, **{name: ways})}).__standard_schema__
        assert found.json_schema is not None
        found.json_schema.input("draft-2020-12")
    kept = JsonSchemas(input=way, output=way)
    own = standardize({"~standard": _foreign(accept, json_schema=kept)}).__standard_schema__

    assert ["draft-2020-12", {"target": "draft-2020-12"}] == asked
    assert kept is own.json_schema


@dataclasses.dataclass
class Limited:
    n: Annotated[int, annotated_types.Ge(1)]


@dataclasses.dataclass
class WithMeta:
    n: Annotated[int, msgspec.Meta(ge=1)]


@attrs.define
class Attrs:
    n: int


@dataclasses.dataclass
class WithAttrs:
    inner: Attrs


class Struct(msgspec.Struct):
    n: int


class Model(pydantic.BaseModel):
    n: int


class Fields(marshmallow.Schema):
    n = marshmallow.fields.Integer()


@dataclasses.dataclass
class Unresolved:
    n: NowhereToBeFound  # type: ignore[name-defined]  # noqa: F821 - that is the point


VENDORS: list[tuple[object, str]] = [
    (Model, "pydantic"),
    (list[Model], "pydantic"),
    (pydantic.TypeAdapter(int), "pydantic"),
    (Annotated[int, pydantic.Field(ge=1)], "pydantic"),
    (Limited, "pydantic"),
    (int, "pydantic"),
    (Any, "pydantic"),
    (list[int], "pydantic"),
    (int | None, "pydantic"),
    (Point, "pydantic"),
    (Pair, "pydantic"),
    (Struct, "msgspec"),
    (list[Struct], "msgspec"),
    (Struct | None, "msgspec"),
    (Annotated[int, msgspec.Meta(ge=1)], "msgspec"),
    (WithMeta, "msgspec"),
    (Attrs, "attrs"),
    (list[Attrs], "attrs"),
    (WithAttrs, "attrs"),
    (Fields, "marshmallow"),
    (Fields(many=True), "marshmallow"),
    ({"type": "object"}, "jsonschema"),
    (True, "jsonschema"),
]


@pytest.mark.parametrize(
    ("obj", "vendor"), VENDORS, ids=lambda each: getattr(each, "__name__", str(each))
)
def test_each_object_goes_to_its_library(obj: object, vendor: str) -> None:
    """A type alone goes where its parts come from, else to pydantic."""
    assert vendor == standardize(obj).__standard_schema__.vendor


@pytest.mark.parametrize(
    "obj",
    [
        object(),
        5,
        "text",
        None,
        Model(n=1),
        Struct(1),
        Attrs(1),
        Carrier.__mro__,
        type("Own", (), {}),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_nobody_knows_is_refused(obj: object) -> None:
    """An object of a model is no model; the error says what may be passed."""
    with pytest.raises(UnknownValidator) as caught:
        standardize(obj)

    assert type(obj).__name__ in str(caught.value) or "class" in str(caught.value)


def test_new_types_and_aliases_are_types() -> None:
    """``NewType`` and, from Python 3.12 on, the ``type`` statement."""
    import typing

    import typing_extensions

    number = typing.NewType("number", int)
    alias = typing_extensions.TypeAliasType("alias", list[Model])

    assert "pydantic" == standardize(number).__standard_schema__.vendor
    assert "pydantic" == standardize(alias).__standard_schema__.vendor


def test_without_pydantic_msgspec_checks_plain_types(monkeypatch: pytest.MonkeyPatch) -> None:
    """Either knows them."""
    monkeypatch.setattr(_vendors, "find_spec", lambda name: name == "msgspec" or None)

    assert "msgspec" == standardize(list[int]).__standard_schema__.vendor
    assert "msgspec" == standardize(Pair).__standard_schema__.vendor


@pytest.mark.parametrize(
    ("obj", "adapter", "extra"),
    [
        (list[int], "pydantic", "pydantic"),
        (Struct, "msgspec", "msgspec"),
        (Attrs, "attrs", "attrs"),
        (Fields, "marshmallow", "marshmallow"),
    ],
    ids=["type", "struct", "attrs", "schema"],
)
def test_a_missing_library_is_named_with_its_extra(
    obj: object, adapter: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clear error where the library, or a companion of it, is not installed."""
    # ``None`` in sys.modules makes an import fail as that of a missing module does.
    monkeypatch.setitem(sys.modules, f"toolgauge.standard.adapters.{adapter}", None)

    with pytest.raises(MissingLibrary) as caught:
        standardize(obj)
    assert extra == caught.value.extra
    assert f"toolgauge[{extra}]" in str(caught.value)


DUMMY = '''
class Word:
    """A validator of a third party: one word."""

    def __init__(self, word):
        self.word = word


class Shy:
    """One that its adapter cannot handle."""
'''

ADAPTER = """
import wordlib
from toolgauge.contract import Failure, Issue, Success
from toolgauge.standard import Adapted, JsonSchemas, Props


def adapt(obj):
    if isinstance(obj, wordlib.Shy):
        return "no validator"
    schema = {"const": obj.word}

    def validate(value):
        return Success(value) if value == obj.word else Failure((Issue(message="another"),))

    ways = JsonSchemas(input=lambda target: schema, output=lambda target: schema)
    return Adapted(Props(vendor="wordlib", validate=validate, json_schema=ways))
"""


@pytest.fixture
def wordlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Install a distribution that joins the vendor table."""
    (tmp_path / "wordlib.py").write_text(DUMMY)
    (tmp_path / "wordlib_toolgauge.py").write_text(ADAPTER)
    info = tmp_path / "wordlib-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wordlib\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[toolgauge.vendors]\nwordlib = wordlib_toolgauge:adapt\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import wordlib  # type: ignore[import-not-found]

    yield wordlib
    for name in ("wordlib", "wordlib_toolgauge"):
        sys.modules.pop(name, None)


def test_a_third_party_joins_by_an_entry_point(wordlib: Any) -> None:
    """Its adapter is loaded when an object of its package turns up, and not before."""
    assert "wordlib_toolgauge" not in sys.modules
    schema = standardize(wordlib.Word("yes")).__standard_schema__

    assert "wordlib" == schema.vendor
    assert Success("yes") == schema.validate("yes")
    assert isinstance(schema.validate("no"), Failure)
    assert schema.json_schema is not None
    assert {"const": "yes"} == schema.json_schema.input("draft-2020-12")


def test_an_adapter_that_gives_something_else_is_named(wordlib: Any) -> None:
    """Its object has to conform."""
    with pytest.raises(InvalidStandard, match="Shy"):
        standardize(wordlib.Shy())


def test_an_adapter_is_not_asked_about_types_of_results(wordlib: Any) -> None:
    """A function that returns one of the package's objects declares no validator."""

    def find() -> Any: ...

    find.__annotations__["return"] = wordlib.Shy
    assert tool(find).output_schema is None


def test_an_adapter_that_is_not_there_is_named(wordlib: Any, tmp_path: Path) -> None:
    """The other package's fault, and said to be."""
    (tmp_path / "wordlib_toolgauge.py").write_text("import nothing_of_the_kind")

    with pytest.raises(InvalidStandard, match="wordlib_toolgauge:adapt") as caught:
        standardize(wordlib.Word("yes"))
    assert isinstance(caught.value.__cause__, ImportError)


def test_a_wrapper_knows_what_it_wraps() -> None:
    """For whoever wants to ask the library itself."""
    found = standardize(Struct)

    assert isinstance(found, Adapted)
    assert Struct is found.source


def test_a_type_with_unknown_names_is_left_to_its_library() -> None:
    """The table does not fail on it; the library says what it cannot resolve."""
    from toolgauge.standard import NoJsonSchema, resolve_json_schema

    with pytest.raises(NoJsonSchema, match="not fully defined"):
        resolve_json_schema(standardize(Unresolved), tool="t")


@pytest.mark.parametrize("count", [1, 3])
def test_messages_and_their_number_are_bounded(count: int) -> None:
    """A validator may be talkative."""
    issues = [{"message": "m" * 5_000}] * (count * 1_000)
    found = standardize({"~standard": _foreign(lambda _: {"issues": issues})})
    result = found.__standard_schema__.validate(1)

    assert isinstance(result, Failure)
    assert 1_000 == len(result.issues)
    assert 2_048 == len(result.issues[0].message)
