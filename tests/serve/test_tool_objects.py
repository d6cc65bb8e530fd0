"""Tools as objects: what is served, listed, checked and validated agrees."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_types import ToolAnnotations

import toolgauge
from tests.profile import IS_LONG
from tests.serve.tools import client
from toolgauge.contract import Catalog
from toolgauge.contract.reading import read_tool

SCHEMA: dict[str, Any] = {"type": "object", "required": ["q"]}
GOOD: dict[str, Any] = {"name": "good", "inputSchema": {"type": "object"}}


class Text(pydantic.BaseModel):
    title: str | None = None
    type: str = "string"


class Few:
    """A dump with fewer arguments than pydantic's."""

    def __init__(self, **members: Any) -> None:
        self.members = members

    def model_dump(self, *, exclude_none: bool = False) -> dict[str, Any]:
        """Return the members."""
        return {k: v for k, v in self.members.items() if not (exclude_none and v is None)}


class Old:
    def __init__(self, **members: Any) -> None:
        self.members = members

    def dict(self) -> dict[str, Any]:
        """Return the members."""
        return self.members


@dataclasses.dataclass
class Hints:
    destructiveHint: bool = True  # noqa: N815 - as the wire spells it
    title: str | None = None


@dataclasses.dataclass
class PythonHints:
    destructive_hint: bool = True


class ClassHints:
    destructiveHint = True  # noqa: N815 - as the wire spells it


def named(**members: Any) -> Any:
    """Return a tool that is an object."""
    return SimpleNamespace(**{"name": "t", "description": "", "inputSchema": SCHEMA, **members})


def agrees(tool: Any, name: str = "t") -> dict[str, Any] | None:
    """Return the tool's detail if every route serves it, ``None`` if none does."""
    served = client([tool, GOOD], allow_execute=False)
    listed = [each["name"] for each in served.get("/tools").json()]
    detail = served.get(f"/tools/{name}")
    verdict = served.post(f"/tools/{name}/validate", json={})
    assert "good" in listed
    assert ({200} if name in listed else {404}) == {detail.status_code, verdict.status_code}
    return detail.json() if name in listed else None


def test_s1_nested_models_leave_out_their_nulls() -> None:
    """The same rule at every depth; nulls of plain mappings stay."""
    schema = {"type": "object", "properties": {"x": Text(), "y": {"default": None}}}
    for tool in ({"name": "t", "inputSchema": schema}, named(inputSchema=schema)):
        detail = agrees(tool)

        assert detail is not None
        assert {"x": {"type": "string"}, "y": {"default": None}} == detail["inputSchema"][
            "properties"
        ]
        assert client([tool]).post("/tools/t/validate", json={"x": "a"}).json()["valid"]


@pytest.mark.parametrize("kind", [Few, Old])
def test_s2_a_dump_may_take_fewer_arguments(kind: Any) -> None:
    """The seed names ``exclude_none`` and nothing else."""
    members = {"inputSchema": kind(title=None, **SCHEMA)}
    detail = agrees(named(**members, annotations=kind(destructiveHint=True, title=None)))

    assert detail is not None
    assert SCHEMA == detail["inputSchema"]
    assert {"destructiveHint": True} == detail["annotations"]


class Raises:
    name, description, inputSchema = "t", "", SCHEMA  # noqa: N815 - MCP's name

    @property
    def annotations(self) -> None:
        """Raise."""
        raise LookupError("secret")


def described() -> None:
    """Stand for a function that describes a tool."""


described.name, described.description, described.inputSchema = "t", "d", SCHEMA  # type: ignore[attr-defined]


class Described:
    name, description, inputSchema = "t", "d", SCHEMA  # noqa: N815 - MCP's name


ODD: dict[str, tuple[Any, bool]] = {
    "a property that raises": (Raises(), False),
    "a schema that JSON has no form for": ({"name": "t", "inputSchema": {"x": object()}}, False),
    "annotations that nobody can read": (named(annotations=object()), False),
    "a function": (described, True),
    "a class": (Described, True),
    "an object with tools": (named(tools=[1]), True),
    "a mock": (Mock(), False),
    "a name that is no text": (named(name=5), False),
    "a lone surrogate": ({"name": "t", "inputSchema": {"const": "\ud800"}}, False),
    "more than 254 levels": ({"name": "t", "inputSchema": None}, True),
}


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("is_static", [True, False])
def test_s3_one_odd_tool_costs_itself_alone(kind: str, *, is_static: bool) -> None:
    """Alike by every route, from a list and from a function."""
    tool, is_served = ODD[kind]

    assert is_served == (agrees(tool) is not None)
    catalog = Catalog([tool, GOOD] if is_static else lambda: [tool, GOOD])
    assert (["t", "good"] if is_served else ["good"]) == [each.name for each in catalog.tools_now()]


def test_s3_the_next_tool_of_a_name_takes_the_place_of_an_odd_one() -> None:
    """In the list, and where it is looked up."""
    good = {"name": "t", "description": "second", "inputSchema": SCHEMA}
    for tools in ([Raises(), good], lambda: [Raises(), good]):
        catalog = Catalog(tools)

        assert ["second"] == [each.description for each in catalog.tools_now()]
        assert "second" == catalog.find_now("t").description


@pytest.mark.parametrize(
    "hints",
    [
        Hints(),
        PythonHints(),
        ClassHints(),
        ClassHints,
        SimpleNamespace(destructiveHint=True, title=None),
        ToolAnnotations(destructive_hint=True),
        {"destructiveHint": True},
    ],
)
@pytest.mark.parametrize("make", [named, lambda **more: {"name": "t", **more}])
def test_s4_annotations_that_are_objects_are_read(make: Any, hints: Any) -> None:
    """A safety hint must not disappear."""
    detail = agrees(make(annotations=hints))

    assert detail is not None
    assert {"destructiveHint": True} == detail["annotations"]
    assert {"destructiveHint": True} == read_tool(make(annotations=hints)).annotations


def test_tools_of_ours_and_of_others_are_checked_lowered_and_compared() -> None:
    """As their definitions are."""
    own = toolgauge.Tool(name="t", input_schema={"type": "object", "properties": {"q": Text()}})
    other = named(inputSchema=own.input_schema)
    plain = read_tool(own).to_detail()
    expected = toolgauge.check([plain], ["mcp-spec"]).to_json()
    for tool in (own, other):
        assert expected == toolgauge.check([tool], ["mcp-spec"]).to_json()
        assert "unchanged" == toolgauge.compare([tool], [plain]).verdict
        assert (
            toolgauge.lower([plain], "openai-strict").tools
            == toolgauge.lower([tool], "openai-strict").tools
        )


_LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
_OBJECTS = st.sampled_from([Text(), Few(a=None, b=1), Old(a=None), Hints(), object(), Mock(), {1}])
_VALUES = st.recursive(
    _LEAVES | _OBJECTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@settings(max_examples=500 if IS_LONG else 25, deadline=None)
@given(schema=_VALUES, annotations=_VALUES, is_object=st.booleans())
def test_whatever_a_tool_holds_every_route_agrees(
    schema: Any, annotations: Any, *, is_object: bool
) -> None:
    """It is served by all, or by none."""
    members = {"inputSchema": schema, "annotations": annotations}
    agrees(named(**members) if is_object else {"name": "t", **members})
