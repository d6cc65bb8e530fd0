from __future__ import annotations

from typing import Any

import pytest

from toolgauge.changes import compare, compare_schemas, lock_of
from toolgauge.contract import Tool

TEXT = {"type": "string"}


def tool(name: str = "search", **members: Any) -> dict[str, Any]:
    """Give a tool as MCP writes it."""
    members.setdefault("inputSchema", {"type": "object", "properties": {"q": TEXT}})
    return {"name": name, "description": "Search.", **members}


def found(old: list[Any], new: list[Any]) -> list[tuple[str, str, str, str]]:
    """Give what compare says, without the words."""
    return [
        (each.kind, each.severity, each.tool, each.pointer) for each in compare(old, new).changes
    ]


def test_a_removed_tool_breaks() -> None:
    """Every call of it fails."""
    assert [("tool-removed", "breaking", "search", "")] == found([tool()], [])


def test_an_added_tool_breaks_nobody() -> None:
    """Nobody called it yet."""
    assert [("tool-added", "compatible", "search", "")] == found([], [tool()])


def test_a_renamed_tool_is_said_to_be_renamed() -> None:
    """The same schemas and description under another name."""
    changes = compare([tool("a")], [tool("b")]).changes

    assert [("tool-renamed", "breaking", "/name")] == [
        (each.kind, each.severity, each.pointer) for each in changes
    ]
    assert "'b'" in changes[0].message


def test_what_changed_with_the_name_is_said_too() -> None:
    """Annotations, a title: of the same description and schemas."""
    old = tool("a", annotations={"readOnlyHint": True}, title="A")

    assert [
        ("annotations-changed", "breaking", "a", "/annotations/readOnlyHint"),
        ("tool-renamed", "breaking", "a", "/name"),
        ("title-changed", "notice", "a", "/title"),
    ] == found([old], [tool("b", title="B")])


def test_another_description_is_another_tool() -> None:
    """A rename is only claimed where description and schemas are the same."""
    assert {"tool-removed", "tool-added"} == {
        each[0] for each in found([tool("a")], [tool("b", description="Other.")])
    }


def test_each_place_that_breaks_is_named_with_its_own_witness() -> None:
    """A person sees all of them at once."""
    new = {"type": "object", "properties": {"q": {"type": "integer"}}, "required": ["z"]}
    changes = compare([tool()], [tool(inputSchema=new)]).changes

    assert {"/inputSchema/properties/q/type": {"q": ""}, "/inputSchema/required": {}} == {
        each.pointer: each.witness for each in changes
    }


def test_arguments_are_objects_anyway() -> None:
    """To say so in the schema changes nothing."""
    assert [] == found([tool(inputSchema={})], [tool(inputSchema={"type": "object"})])


@pytest.mark.parametrize(
    ("old", "new", "severity"),
    [
        ({"readOnlyHint": True}, {"readOnlyHint": False}, "breaking"),
        ({"readOnlyHint": True}, {}, "breaking"),
        ({}, {"destructiveHint": True}, "breaking"),
        ({"destructiveHint": False}, {"destructiveHint": True}, "breaking"),
        ({"destructiveHint": True}, {"destructiveHint": False}, "notice"),
        ({"readOnlyHint": False}, {"readOnlyHint": True}, "notice"),
        ({"title": "A"}, {"title": "B"}, "notice"),
    ],
)
def test_annotations_break_where_a_promise_is_taken_back(
    old: dict[str, Any], new: dict[str, Any], severity: str
) -> None:
    """Clients approve calls by them."""
    changes = compare([tool(annotations=old)], [tool(annotations=new)])

    assert severity == changes.verdict
    assert {"annotations-changed"} == {each.kind for each in changes.changes}


def test_the_reason_is_that_of_an_asserted_format() -> None:
    """Without its assertion the schema would refuse nothing."""
    changes = compare_schemas(TEXT, {**TEXT, "format": "email"}, formats=True)

    assert "'email'" in changes.changes[0].message


def test_what_models_read_is_a_notice() -> None:
    """Description, title and other members; texts inside a schema at their place."""
    old = tool(title="A", icons=[])
    described = {"type": "object", "properties": {"q": {**TEXT, "description": "What."}}}
    new = tool(title="B", icons=[{}], description="Find.", inputSchema=described)

    assert [
        ("description-changed", "notice", "search", "/description"),
        ("metadata-changed", "notice", "search", "/icons"),
        ("input-text-changed", "notice", "search", "/inputSchema/properties/q/description"),
        ("title-changed", "notice", "search", "/title"),
    ] == found([old], [new])


def test_an_output_schema_that_goes_breaks_and_one_that_comes_does_not() -> None:
    """Without one a result may be anything."""
    old, new = tool(outputSchema={"type": "object"}), tool()

    assert [("output-schema-removed", "breaking", "search", "/outputSchema")] == found([old], [new])
    assert [("output-schema-added", "compatible", "search", "/outputSchema")] == found([new], [old])
    assert compare([old], [new]).changes[0].has_witness
    assert not compare([tool(outputSchema={})], [new]).changes[0].has_witness


def test_outputs_are_compared_the_other_way_round() -> None:
    """Callers read them."""
    old, new = (
        tool(outputSchema={"type": "object"}),
        tool(outputSchema={"type": ["object", "null"]}),
    )

    assert [("output-widened", "breaking", "search", "/outputSchema/type")] == found([old], [new])
    assert [("output-narrowed", "compatible", "search", "/outputSchema/type")] == found(
        [new], [old]
    )


def test_the_worst_comes_first_and_gives_the_verdict() -> None:
    """Then tools by name."""
    changes = compare([tool("b"), tool("a")], [tool("c", description="New."), tool("b", title="B")])

    assert "breaking" == changes.verdict
    assert ["breaking", "compatible", "notice"] == [each.severity for each in changes.changes]
    assert {"breaking": 1, "unproven": 0, "compatible": 1, "notice": 1} == changes.to_json()[
        "counts"
    ]


def test_nothing_changed_is_unchanged() -> None:
    """Whatever the order of tools and keys."""
    old = [tool("a"), tool("b")]
    new = [dict(reversed(each.items())) for each in reversed(old)]

    assert "unchanged" == compare(old, new).verdict
    assert () == compare(old, new).changes


def test_any_shape_of_tools_will_do() -> None:
    """Ours, mappings, locks; of a name that is there twice the first one counts."""
    ours = Tool(name="search", description="Search.", input_schema=tool()["inputSchema"])

    assert [] == found([ours], [tool(), tool(inputSchema={"type": "object", "required": ["x"]})])
    assert () == compare(lock_of([ours]), [tool()]).changes


def test_broken_schemas_are_compared_without_a_traceback() -> None:
    """A new one refuses everything, an old one says nothing."""
    for broken in (3, {"type": 3}, {"$ref": "#/nowhere"}, deep(400)):
        assert "breaking" == compare([tool()], [tool(inputSchema=broken)]).verdict
        assert "unproven" == compare([tool(inputSchema=broken)], [tool()]).verdict


def test_what_json_cannot_carry_is_no_reason_to_fail() -> None:
    """A keyword that nobody knows holds it."""
    assert "compatible" == compare([tool()], [tool(inputSchema={"x": float("nan")})]).verdict


def deep(levels: int) -> dict[str, Any]:
    """Nest schemas."""
    schema: dict[str, Any] = {}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def test_the_wire_form_leaves_out_what_is_not_there() -> None:
    """A witness that is null is there."""
    change = compare_schemas({"type": ["null", "object"]}, {"type": "object"}).changes[0].to_json()

    assert {"kind", "severity", "path", "message", "witness", "fix"} == change.keys()
    assert change["witness"] is None
    notice = compare_schemas({"title": "a"}, {}).changes[0].to_json()
    assert {"kind", "severity", "path", "message"} == notice.keys()


def test_what_cannot_be_shown_either_way_is_unproven() -> None:
    """Two patterns that no rule here compares are not called compatible."""
    old, new = {"pattern": "^(?!b)[a-z]*$"}, {"pattern": "^[ac-z][a-z]*$|^$"}
    changes = compare_schemas(old, new).changes

    assert [("input-unproven", "unproven", "/pattern", False)] == [
        (each.kind, each.severity, each.pointer, each.has_witness) for each in changes
    ]


def test_texts_are_bounded() -> None:
    """A list of a thousand reworded properties is cut."""
    old = {"properties": {f"p{n}": {"description": "a"} for n in range(1_000)}}
    new = {"properties": {f"p{n}": {"description": "b"} for n in range(1_000)}}

    assert 50 == len(compare_schemas(old, new).changes)


def test_branches_are_told_apart_by_place() -> None:
    """The one that differs is named, not the whole union."""
    old = {"anyOf": [TEXT, {"type": "number"}]}
    new = {"anyOf": [TEXT, {"type": "integer"}]}

    assert "/anyOf/1/type" == compare_schemas(old, new).changes[0].pointer
    assert "/anyOf/1" == compare_schemas(old, {"anyOf": [TEXT]}).changes[0].pointer
    assert "/anyOf" == compare_schemas({}, old).changes[0].pointer
