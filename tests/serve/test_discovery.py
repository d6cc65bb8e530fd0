"""The seed's test criteria for tool discovery (F2), and what its decisions add."""

from __future__ import annotations

import datetime as dt
import logging
from types import SimpleNamespace
from typing import Any

import pytest
from mcp_types import Tool as SdkTool
from mcp_types import ToolAnnotations

from tests.serve.tools import DELETE, TOOLS, WEATHER, client


def test_f2_1_get_tools_returns_all_tools_with_the_fields_of_the_seed() -> None:
    """Name, description and annotations; nothing else, in the provider's order."""
    answer = client().get("/tools")

    assert 200 == answer.status_code
    assert "application/json" == answer.headers["content-type"]
    assert [
        {
            "name": "get_weather",
            "description": "Fetch current weather for a city.",
            "annotations": {"readOnlyHint": True, "openWorldHint": True},
        },
        {"name": "delete_record", "description": "Delete a record by ID."},
    ] == answer.json()


@pytest.mark.parametrize("none", [None, {}, {"readOnlyHint": None}])
def test_f2_2_annotations_are_left_out_where_there_are_none(none: object) -> None:
    """The key is omitted: never null, never empty."""
    answer = client([{"name": "t", "annotations": none}]).get("/tools")

    assert [{"name": "t", "description": ""}] == answer.json()


def test_f2_3_the_detail_holds_the_input_schema() -> None:
    """``inputSchema`` as the tool gives it."""
    answer = client().get("/tools/get_weather")

    assert 200 == answer.status_code
    assert WEATHER == answer.json()


def test_f2_4_an_unknown_tool_is_404_with_its_name() -> None:
    """The body is the seed's."""
    answer = client().get("/tools/unknown_tool")

    assert 404 == answer.status_code
    assert {"error": "Tool not found: unknown_tool"} == answer.json()


def test_f2_5_a_sync_provider_is_called_for_every_request() -> None:
    """Nothing that it gives is kept."""
    calls: list[int] = []

    def provider() -> list[Any]:
        calls.append(1)
        return [{"name": f"t{len(calls)}"}]

    served = client(provider)
    names = [served.get("/tools").json()[0]["name"] for _ in range(3)]

    assert ["t1", "t2", "t3"] == names
    assert 3 == len(calls)


def test_f2_6_an_async_provider_is_awaited() -> None:
    """It is called for every request as well."""
    calls: list[int] = []

    async def provider() -> list[Any]:
        calls.append(1)
        return TOOLS

    served = client(provider)

    assert 2 == len(served.get("/tools").json())
    assert 200 == served.get("/tools/delete_record").status_code
    assert {"valid": True} == served.post("/tools/delete_record/validate", json={}).json()
    assert 3 == len(calls)


def test_a_provider_may_ask_who_is_asking() -> None:
    """A function of one argument gets the request (decision V24)."""

    def provider(request: Any) -> list[Any]:
        return TOOLS if request.headers.get("x-role") == "admin" else [WEATHER]

    served = client(provider)

    assert 1 == len(served.get("/tools").json())
    assert 2 == len(served.get("/tools", headers={"x-role": "admin"}).json())
    assert 404 == served.post("/tools/delete_record/validate", json={}).status_code


def test_objects_of_the_official_sdk_show_their_schema() -> None:
    """Its attributes are in snake_case, the wire is in camelCase."""
    schema = {"type": "object", "properties": {"q": {"type": "string", "default": None}}}
    tool = SdkTool(
        name="search",
        title="Search",
        input_schema=schema,
        output_schema={"type": "object"},
        annotations=ToolAnnotations(read_only_hint=True),
    )

    served = client([tool])

    assert [
        {"name": "search", "description": "", "annotations": {"readOnlyHint": True}}
    ] == served.get("/tools").json()
    assert {
        "name": "search",
        "description": "",
        "title": "Search",
        "annotations": {"readOnlyHint": True},
        "inputSchema": schema,
        "outputSchema": {"type": "object"},
    } == served.get("/tools/search").json()
    assert not served.post("/tools/search/validate", json={"q": 1}).json()["valid"]


@pytest.mark.parametrize(
    ("given", "shown"),
    [(None, {}), (True, {}), (False, {"not": {}}), ([1], [1]), ({"a": None}, {"a": None})],
)
def test_a_detail_always_has_a_schema(given: object, shown: object) -> None:
    """Missing and boolean schemas are written as objects, broken ones shown (D9)."""
    served = client([{"name": "t", "inputSchema": given}])

    assert shown == served.get("/tools/t").json()["inputSchema"]


def test_a_tool_without_a_name_is_skipped_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    """It hides no other tool (decision D5)."""
    with caplog.at_level(logging.WARNING):
        answer = client([{"description": "?"}, {"name": 5}, DELETE]).get("/tools")

    assert ["delete_record"] == [each["name"] for each in answer.json()]
    assert 2 == len(caplog.records)


def test_of_two_tools_of_one_name_the_first_is_used_everywhere() -> None:
    """List, detail, validation and call agree (decision D8)."""
    served = client([{"name": "t", "description": "one"}, {"name": "t", "description": "two"}])

    assert ["one"] == [each["description"] for each in served.get("/tools").json()]
    assert "one" == served.get("/tools/t").json()["description"]


@pytest.mark.parametrize("broken", [RuntimeError("secret"), 5, None, "abc", {"a": 1}])
def test_a_broken_provider_is_a_clean_500(broken: object, caplog: pytest.LogCaptureFixture) -> None:
    """What it raised is in the log alone (decision D7)."""

    def provider() -> Any:
        if isinstance(broken, Exception):
            raise broken
        return broken

    served = client(provider)
    answers = [
        served.get("/tools"),
        served.get("/tools/t"),
        served.post("/tools/t/validate", json={}),
    ]

    assert {500} == {each.status_code for each in answers}
    assert all({"error": "Internal error"} == each.json() for each in answers)
    assert caplog.records


@pytest.mark.parametrize("path", ["/tools", "/tools/", "/tools/get_weather", "/tools/x", "/no"])
def test_every_api_answer_is_json_that_nobody_stores(path: str) -> None:
    """Also for routes and tools that do not exist (decisions D16, V26)."""
    answer = client().get(path)

    assert "application/json" == answer.headers["content-type"]
    assert "no-store" == answer.headers["cache-control"]
    assert "nosniff" == answer.headers["x-content-type-options"]


def test_head_is_get_without_a_body() -> None:
    """The length is that of the body that ``GET`` gives."""
    served = client()
    head, get = served.head("/tools"), served.get("/tools")

    assert (200, b"") == (head.status_code, head.content)
    assert str(len(get.content)) == head.headers["content-length"]


@pytest.mark.parametrize(
    ("path", "allow"),
    [
        ("/", "GET, HEAD, OPTIONS"),
        ("/tools", "GET, HEAD, OPTIONS"),
        ("/tools/get_weather", "GET, HEAD, OPTIONS"),
        ("/tools/get_weather/validate", "POST, OPTIONS"),
        ("/tools/get_weather/call", "POST, OPTIONS"),
    ],
)
def test_other_methods_are_405_with_allow(path: str, allow: str) -> None:
    """``OPTIONS`` says the same, and grants no other origin anything (D11)."""
    served = client()
    refused = served.request("DELETE", path)
    options = served.options(path)

    assert (405, allow) == (refused.status_code, refused.headers["allow"])
    assert {"error": "Method not allowed"} == refused.json()
    assert (204, allow) == (options.status_code, options.headers["allow"])
    assert not [name for name in options.headers if name.startswith("access-control")]


def test_an_unknown_tool_is_404_before_its_method_is_looked_at() -> None:
    """There is nothing that could allow a method."""
    served = client()

    assert 404 == served.request("PUT", "/tools/nope").status_code
    assert 404 == served.get("/tools/nope/call").status_code


def test_a_member_without_a_json_form_does_not_hide_the_tool() -> None:
    """It is left out and logged; dates have a form."""
    when = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    odd = SimpleNamespace(name="odd", annotations={"when": when}, icons=[object()])
    worse = SimpleNamespace(name="worse", annotations={"x": object()})

    served = client([odd, worse, DELETE])

    assert ["odd", "delete_record"] == [each["name"] for each in served.get("/tools").json()]
    assert "icons" not in served.get("/tools/odd").json()


def test_a_long_unknown_name_is_cut_in_the_answer() -> None:
    """256 characters are echoed (decision D15)."""
    answer = client().get("/tools/" + "x" * 5000)

    assert 404 == answer.status_code
    assert "Tool not found: " + "x" * 256 == answer.json()["error"]
