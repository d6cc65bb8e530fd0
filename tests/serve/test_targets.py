"""What targets say of the tools that are served: the matrix, one tool, one target."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from tests.serve.tools import client
from toolgauge.lowering import lower
from toolgauge.rules import check, targets
from toolgauge.serve import judging
from toolgauge.wire import formats

if TYPE_CHECKING:
    from collections.abc import Mapping

TOOLS: list[dict[str, Any]] = [
    {
        "name": "a/b",
        "description": "A slash in its name.",
        "inputSchema": {
            "type": "object",
            "properties": {"q": {"type": "string", "minLength": 2}},
            "required": ["q"],
        },
    },
    {
        "name": "fine",
        "description": "Nothing is wrong with it.",
        "inputSchema": {
            "type": "object",
            "properties": {"q": {"type": "string", "description": "What to look for."}},
            "required": ["q"],
            "additionalProperties": False,
        },
    },
]


def test_the_matrix_says_what_check_says() -> None:
    """Every tool and every target, with the same sums; what is not there is accepted."""
    body = client(TOOLS).get("/targets").json()
    report = check(TOOLS)
    sums = {row["name"]: row["targets"] for row in body["tools"]}

    assert ["a/b", "fine"] == [row["name"] for row in body["tools"]]
    assert [each.target.name for each in report.verdicts] == [
        each["name"] for each in body["targets"]
    ]
    for verdict, shown in zip(report.verdicts, body["targets"], strict=True):
        assert verdict.to_json().items() <= shown.items()
    for name, index in (("a/b", 0), ("fine", 1)):
        for target in targets():
            own = [each for each in report.findings if (each.index, each.target) == (index, target)]
            errors = sum(each.severity == "error" for each in own)
            assert errors == sums[name].get(target, {"errors": 0})["errors"]
    assert "refused" == sums["a/b"]["openai"]["verdict"]
    assert "openai" not in sums["fine"]


def test_a_target_counts_the_tools_that_it_only_warns_of() -> None:
    """Accepted, warned of, refused: three sums for each column."""
    body = client(TOOLS).get("/targets").json()

    for shown in body["targets"]:
        cells = [row["targets"].get(shown["name"], {}).get("verdict") for row in body["tools"]]
        assert cells.count("accepted-with-warnings") == shown["warned"]


def test_a_finding_names_its_place_its_mending_and_its_source() -> None:
    """Everything that somebody needs to believe it."""
    body = client(TOOLS).get("/tools/a%2Fb/targets").json()
    found = [
        each
        for each in body["findings"]
        if (each["target"], each["name"]) == ("openai", "malformed-tool-name")
    ]

    assert 1 == len(found)
    assert ("/name", "error") == (found[0]["path"], found[0]["severity"])
    assert found[0]["message"]
    assert found[0]["fix"]
    assert found[0]["effect"]
    assert all(found[0]["sources"])
    assert "2" == found[0]["read"][0]
    assert list(targets()) == [each["name"] for each in body["targets"]]


def test_a_target_shows_the_tool_as_it_would_take_it() -> None:
    """The lowered tool, its wire shape, and what was lost on the way."""
    body = client(TOOLS).get("/tools/a%2Fb/targets/openai-strict").json()
    lowered = lower([TOOLS[0]], "openai-strict")

    assert lowered.tools[0] == body["lowered"]["tool"]
    assert lowered.wire() == body["lowered"]["wire"]
    assert [each.to_json() for each in lowered.losses] == body["losses"]
    assert {"openai-strict"} == {each["target"] for each in body["findings"]}
    assert None is body["refused"]


def test_a_target_that_nobody_lowers_for_says_so() -> None:
    """Clients take tools as they are."""
    body = client(TOOLS).get("/tools/fine/targets/cursor").json()

    assert (None, None, []) == (body["lowered"], body["refused"], body["losses"])
    assert body["target"]["lowers"] is False


def test_a_tool_that_cannot_be_lowered_has_a_reason() -> None:
    """And the smallest change that would do."""
    tools = [{"name": "t", "inputSchema": {"type": "array"}}]
    body = client(tools).get("/tools/t/targets/openai-strict").json()

    assert None is body["lowered"]
    assert body["refused"]["reason"]
    assert body["refused"]["fix"]


def test_the_formats_are_those_of_the_providers() -> None:
    """Each request's own list with this one tool in it."""
    http = client(TOOLS)
    body = http.get("/tools/a%2Fb/formats").json()
    by_name: Mapping[str, Any] = {each["name"]: each for each in body["formats"]}

    assert list(formats()) == list(by_name)
    assert "a/b" == by_name["openai-chat"]["tools"][0]["function"]["name"]
    assert TOOLS[0]["inputSchema"] == by_name["anthropic"]["tools"][0]["input_schema"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/tools/nope/targets", 404),
        ("/tools/nope/targets/openai", 404),
        ("/tools/nope/formats", 404),
        ("/tools/fine/targets/nope", 404),
        ("/tools/fine/targets/providers", 404),
        ("/tools/fine/targets/openai/more", 404),
    ],
)
def test_what_is_not_there_is_404(path: str, status: int) -> None:
    """With a sentence; a group is no target."""
    answer = client(TOOLS).get(path)

    assert status == answer.status_code
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "path", ["/targets", "/tools/fine/targets", "/tools/fine/targets/openai", "/tools/fine/formats"]
)
def test_a_view_is_read_and_nothing_else(path: str) -> None:
    """HEAD is GET without a body, OPTIONS says so, the rest is 405."""
    http = client(TOOLS)

    assert b"" == http.head(path).content
    assert 200 == http.head(path).status_code
    assert "GET, HEAD, OPTIONS" == http.options(path).headers["allow"]
    assert 405 == http.post(path).status_code
    assert "no-store" == http.get(path).headers["cache-control"]


def test_the_same_list_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And again when it changed, whatever asked."""
    made: list[int] = []

    class Counted(judging.Judgement):
        def __init__(self, names: Any, details: Any) -> None:
            made.append(len(names))
            super().__init__(names, details)

    monkeypatch.setattr(judging, "Judgement", Counted)
    tools = [dict(TOOLS[1])]
    http = client(lambda: tools)
    for path in ("/targets", "/targets", "/tools/fine/targets", "/tools/fine/targets/openai"):
        assert 200 == http.get(path).status_code
    tools[0]["description"] = "Another promise."
    http.get("/targets")
    tools.append(TOOLS[0])
    http.get("/targets")
    http.get("/tools/fine/targets")

    assert [1, 1, 2] == made


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """By number and by size; what is forgotten is worked out anew, and the same."""
    from toolgauge.serve import targets as views

    monkeypatch.setattr(views, "_MAX_BODIES", 1)
    monkeypatch.setattr(views, "_MAX_LISTS", 1)
    tools = [dict(TOOLS[1])]
    http = client(lambda: tools)
    paths = ("/targets", "/tools/fine/targets", "/tools/fine/targets/openai")
    first = [http.get(path).json() for path in paths]
    tools[0]["description"] = "Another promise, which takes the place of the first."
    http.get("/targets")
    tools[0]["description"] = TOOLS[1]["description"]
    assert first == [http.get(path).json() for path in paths]

    monkeypatch.setattr(views, "_MAX_BODY_BYTES", 10)
    assert first == [http.get(path).json() for path in paths]


def test_one_question_is_worked_on_at_a_time_and_few_may_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The seventeenth is told to come back."""
    begun, go_on = threading.Event(), threading.Event()

    class Slow(judging.Judgement):
        def __init__(self, names: Any, details: Any) -> None:
            begun.set()
            go_on.wait(20)
            super().__init__(names, details)

    monkeypatch.setattr(judging, "Judgement", Slow)
    with client(TOOLS) as http, ThreadPoolExecutor(17) as pool:
        asked = [pool.submit(http.get, "/targets") for _ in range(17)]
        begun.wait(20)
        busy = next(each for each in _as_done(asked) if each.status_code == 503)
        go_on.set()
        answered = [each.result().status_code for each in asked]

    assert "1" == busy.headers["retry-after"]
    assert (16, 1) == (answered.count(200), answered.count(503))


def _as_done(asked: list[Any]) -> Any:
    """Give answers as they come."""
    from concurrent.futures import as_completed

    return (each.result() for each in as_completed(asked, timeout=20))


def test_a_definition_that_is_no_json_hides_no_other() -> None:
    """It is left out of the matrix, and its own page says why."""
    tools = [{"name": "odd", "inputSchema": {"default": object()}}, TOOLS[1]]
    http = client(tools)

    assert ["fine"] == [row["name"] for row in http.get("/targets").json()["tools"]]
    assert 404 == http.get("/tools/odd/targets").status_code
    assert 404 == http.get("/tools/odd/formats").status_code


def test_a_definition_that_is_nested_too_deep_hides_no_other() -> None:
    """A bound, and no crash."""
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(200):
        deep = {"type": "object", "properties": {"a": deep}}
    http = client([{"name": "deep", "inputSchema": deep}, TOOLS[1]])

    assert ["fine"] == [row["name"] for row in http.get("/targets").json()["tools"]]
    assert 404 == http.get("/tools/deep/targets").status_code


def test_a_long_list_of_findings_is_cut_and_says_so() -> None:
    """The sums count all."""
    properties = {f"p{n}": {"type": "string", "minLength": 1, "x": {}} for n in range(300)}
    tools = [{"name": "wide", "inputSchema": {"type": "object", "properties": properties}}]
    body = client(tools).get("/tools/wide/targets").json()
    total = sum(each["errors"] + each["warnings"] + each["advice"] for each in body["targets"])

    assert judging.MAX_FINDINGS == len(body["findings"])
    assert total == body["omitted"] + judging.MAX_FINDINGS


def test_serving_loads_no_rules_before_they_are_asked_for() -> None:
    """Plain serving stays light."""
    code = (
        "import sys; from toolgauge.serve import create_app; create_app([{'name': 't'}]);"
        "print([each for each in sys.modules if each in"
        " ('toolgauge.rules', 'toolgauge.lowering', 'toolgauge.serve.judging')])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == told.stdout.strip()
