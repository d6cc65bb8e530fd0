"""Functions in tools of OpenAI's type ``namespace``: opened, judged, called and answered."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING, Any

import openai.types.responses
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wire.judges import takes_results, typed
from toolgauge import Tool, check, lower, run_tools
from toolgauge.auditing.contracts import Contracts
from toolgauge.auditing.judging import Judge
from toolgauge.auditing.row_tools import definitions
from toolgauge.auditing.rows import RowReader
from toolgauge.upstream.entries import read_entries
from toolgauge.wire import from_tools

if TYPE_CHECKING:
    from toolgauge.auditing.verdicts import Judged


def function(name: str, parameters: Any = None, **more: Any) -> dict[str, Any]:
    """Write one function of a namespace."""
    schema = {"type": "object", "properties": {}} if parameters is None else parameters
    return {"type": "function", "name": name, "parameters": schema, **more}


def namespace(name: str, *functions: dict[str, Any]) -> dict[str, Any]:
    """Write a namespace."""
    return {"type": "namespace", "name": name, "description": "d", "tools": list(functions)}


def called(name: str, namespace: str | None, call_id: str = "c1") -> dict[str, Any]:
    """Write a call as the model does."""
    call = {"type": "function_call", "call_id": call_id, "name": name, "arguments": "{}"}
    return call if namespace is None else {**call, "namespace": namespace}


GET = function(
    "get",
    {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
    output_schema={"type": "string"},
    defer_loading=True,
    allowed_callers=["direct"],
)
REQUEST = {
    "tools": [
        {"type": "tool_search"},
        namespace("crm", GET, {"type": "custom", "name": "free"}),
        namespace("erp", function("get")),
        function("now"),
    ]
}


def test_the_request_is_one_of_openai() -> None:
    """As its SDK types it."""
    for each in REQUEST["tools"][1:3]:
        typed(openai.types.responses.NamespaceToolParam, each)


def test_functions_are_opened_with_their_namespace() -> None:
    """Names are unique with the namespace before them; what takes free text is left out."""
    tools = from_tools(REQUEST)

    assert ["crm.get", "erp.get", "now"] == [each.name for each in tools]
    assert {"type": "string"} == tools[0].output_schema
    assert {"defer_loading": True, "allowed_callers": ["direct"]} == tools[0].extra
    assert ["crm.get", "erp.get", "now"] == [each["name"] for each in definitions(REQUEST)]


def test_places_lead_into_the_document() -> None:
    """Of each inner function."""
    assert [("tools", 1, "tools", 0), ("tools", 2, "tools", 0), ("tools", 3)] == [
        each.path for each in read_entries(REQUEST)
    ]


def test_each_function_is_judged_in_its_namespace() -> None:
    """One name in two namespaces is not taken twice; in one it is."""
    bad = function("get", {"type": "array"})
    report = check([namespace("crm", bad, bad), namespace("erp", GET)], ["openai-responses"])
    errors = {(each.tool, each.index, each.pointer) for each in report.findings}

    assert ("crm.get", 0, "/parameters/type") in errors
    assert ("crm.get", 1, "/name") in errors
    assert not any(each.index == 2 for each in report.findings)
    assert ("crm.get", "crm.get", "erp.get") == report.tools


def test_a_namespace_counts_as_one_tool_of_responses() -> None:
    """Chat Completions has none, and counts functions."""
    names = [f"f{number}" for number in range(129)]
    one = [namespace("all", *map(function, names))]
    many = [function(each) for each in names]

    assert "accepted" == check(one, ["openai-responses"]).verdicts[0].verdict
    assert "refused" == check(many, ["openai-responses"]).verdicts[0].verdict
    assert "refused" == check(one, ["openai-chat"]).verdicts[0].verdict


def test_lowered_functions_leave_their_namespace() -> None:
    """Under a name that the target takes, and that is mapped back."""
    raw = [each.standalone for each in read_entries(REQUEST)]
    lowered = lower(raw, "openai-responses")
    names = [each["name"] for each in lowered.tools]

    assert 3 == len(set(names))
    assert "crm.get" == lowered.restore(names[0], {"id": "1"})[0]


def _say(text: str, _args: Any) -> str:
    return text


def test_calls_are_answered_with_their_namespace() -> None:
    """Tools may be known by the qualified name, or by their own."""
    tools = [Tool(name=name, handler=partial(_say, name)) for name in ("crm.get", "get", "now")]
    calls = [called("get", "crm", "c1"), called("get", "erp", "c2"), called("now", None, "c3")]
    made = asyncio.run(run_tools({"object": "response", "output": calls}, tools))

    takes_results("openai-responses", made)
    assert [("crm", "crm.get"), ("erp", "get"), (None, "now")] == [
        (each.get("namespace"), each["output"]) for each in made
    ]


def verdicts(tools: list[Any], rows: list[Any]) -> list[tuple[str | None, str]]:
    """Judge recorded rows."""
    found: list[Judged] = []
    judge = Judge(
        Contracts(definitions(tools)), RowReader(keys=("name", "arguments")), found.append
    )
    judge.block([json.dumps(each).encode() for each in rows], "f", 1)
    counted = [(name, "valid") for name, count in judge.valid.items() for _ in range(count)]
    return counted + [(each.tool, each.verdict.value) for each in found]


def test_recorded_calls_are_held_against_the_function_of_their_namespace() -> None:
    """A call alone, in a list, and in a response."""
    tools = REQUEST["tools"]
    call = called("get", "crm")

    for row in (call, [call], {"object": "response", "output": [call]}):
        assert [("crm.get", "invalid")] == verdicts(tools, [row])
    assert [("erp.get", "valid")] == verdicts(tools, [called("get", "erp")])
    assert [("now", "valid")] == verdicts(tools, [called("now", None)])
    assert [("get", "unknown_tool")] == verdicts(tools, [called("get", None)])


@pytest.mark.parametrize(
    "odd",
    [
        {"type": "namespace"},
        {"type": "namespace", "name": "n", "tools": {}},
        {"type": "namespace", "name": "n", "tools": [None, 5, "x", {}, {"name": 5}]},
        {"type": "namespace", "name": 5, "tools": [{"name": "a"}]},
        {"type": "namespace", "name": "n", "tools": []},
    ],
    ids=str,
)
def test_an_odd_namespace_is_reported_and_raises_nothing(odd: Any) -> None:
    """By every reader."""
    read_entries([odd, function("a")])
    report = check([odd, function("a")], ["openai-responses"])
    assert report.tools[-1] == "a"


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), unique=True))
def test_no_two_functions_share_a_name(pairs: list[tuple[str, str]]) -> None:
    """However they are spread over namespaces."""
    spaces = [namespace(name, *(function(own) for at, own in pairs if at == name)) for name in "ab"]

    names = [each.name for each in from_tools(spaces)]
    assert len(pairs) == len(set(names)) == len(names)
