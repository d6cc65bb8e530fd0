"""The report opens from disk, without a network, and shows whatever the data hold as text."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from playwright.sync_api import expect, sync_playwright

from tests.auditing.conftest import BROKEN, WEATHER
from tests.auditing.fetched import axe_script
from toolgauge.auditing import (
    Audit,
    Contracts,
    Job,
    Judged,
    Row,
    RowReader,
    Verdict,
    audit,
    find_inputs,
)
from toolgauge.auditing.engines.local import local_engine
from toolgauge.auditing.examples import MAX_EXAMPLE_CHARS, example_of
from toolgauge.auditing.report import to_html
from toolgauge.auditing.tally import Tally
from toolgauge.contract import Issue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Page

    from toolgauge.contract import Path as ValuePath

IMAGE = Path(__file__).parents[2] / "docs" / "images" / "audit-report.png"
HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>"

REPORT_VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Start the browser once."""
    program = os.environ.get("TOOLGAUGE_CHROMIUM") or shutil.which("chromium")
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is needed")
        pytest.skip("Chromium is needed: install it or name it in TOOLGAUGE_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def show(chromium: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open a report from disk; nothing may be asked of a network, and nothing complain."""
    complaints: list[str] = []
    contexts = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(message.text)

    def start(html: bytes, **options: Any) -> Page:
        path = tmp_path / "report.html"
        path.write_bytes(html)
        context = chromium.new_context(offline=True, **options)
        contexts.append(context)
        context.add_init_script(REPORT_VIOLATIONS)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith("file:") else complaints.append(request.url)
            ),
        )
        page.goto(path.as_uri())
        return page

    yield start
    for context in contexts:
        context.close()

    assert [] == complaints


def recorded(write_lines: Callable[..., Path]) -> Audit:
    """Audit two weeks of calls of a fleet that went wrong on the ninth day."""
    chance = random.Random(11)
    start = datetime(2026, 3, 1, tzinfo=UTC)
    rows: list[Any] = []
    for number in range(6_000):
        when = start + timedelta(minutes=number * 3.3)
        arguments: dict[str, Any] = {"city": chance.choice(["Oslo", "Bergen", "Tromsø"]), "days": 3}
        tool = chance.choice(["weather", "weather", "forecast", "alerts"])
        bad = chance.random() < (0.09 if when.day >= 9 else 0.015)
        if bad:
            kind = chance.randrange(7)
            if kind < 3:
                arguments["days"] = chance.choice(["three", "7"])
            elif kind == 3:
                del arguments["city"]
            elif kind == 4:
                arguments["tags"] = ["coast", 7]
            elif kind == 5:
                arguments["units"] = "metric"
            else:
                tool = chance.choice(["get_weather", "broken"])
        given: Any = arguments
        if bad and chance.random() < 0.08:
            given = str(arguments)
        rows.append({"tool": tool, "arguments": given, "time": when.isoformat()})
    rows += [b"{cut off", {"tool": "weather", "arguments": [1]}]
    tools = [WEATHER, BROKEN, *({**WEATHER, "name": name} for name in ("forecast", "alerts"))]
    job = Job(contracts=Contracts(tools), rows=RowReader(), time="time")
    path = write_lines(rows, "calls-2026-03.jsonl")
    inputs = find_inputs([path.name if path.parent == Path.cwd() else str(path)])
    return audit(inputs, job, engine=local_engine(1))


@pytest.mark.browser
def test_the_page_shows_every_figure_and_marks_the_place(
    show: Callable[..., Page],
    write_lines: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Verdicts, tools, keywords, paths, time; a chosen keyword narrows the kinds."""
    monkeypatch.chdir(tmp_path)
    found = recorded(write_lines)
    html = to_html(found.tally.to_bytes(), ["calls-2026-03.jsonl"])
    page = show(html, viewport={"width": 1200, "height": 1500}, color_scheme="light")

    expect(page.get_by_role("heading", level=1)).to_have_text(
        f"{found.tally.failures:,} of {found.tally.calls:,} calls failed"
    )
    invalid = page.get_by_role("row", name=re.compile("^break their contract"))
    expect(invalid).to_contain_text(f"{found.tally.verdicts[Verdict.INVALID]:,}")
    for title in ("Failures by tool", "Failures by keyword", "Failures by path"):
        expect(page.get_by_role("table", name=title)).to_be_visible()
    expect(page.locator(".plot canvas")).to_be_visible()
    page.get_by_role("table", name="Failures by keyword").get_by_role(
        "button", name="required", exact=True
    ).click()
    kinds = page.locator(".kind")
    expect(kinds).to_have_count(3)
    expect(kinds.first.locator("mark.missing").first).to_have_text(' "city" is missing ')
    page.get_by_role("button", name="Show all").click()
    expect(kinds.first.locator("mark").first).to_have_text(re.compile('^"(three|7)"$'))
    expect(kinds.first.locator(".example")).to_have_count(10)
    IMAGE.parent.mkdir(exist_ok=True)
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=IMAGE)


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(
    scheme: str, show: Callable[..., Page], write_lines: Callable[..., Path]
) -> None:
    """Contrast, names, tables, order of headings, in both colour schemes."""
    script = axe_script()
    page = show(
        to_html(recorded(write_lines).tally.to_bytes(), ["calls.jsonl"]), color_scheme=scheme
    )
    expect(page.locator(".plot canvas")).to_be_visible()
    # The page's own policy lets no further script in; the driver's are not of the page.
    result = page.evaluate(f"async () => {{ {script}; return await axe.run(); }}")

    assert [] == [(each["id"], each["nodes"][0]["html"]) for each in result["violations"]]


@pytest.mark.browser
def test_hostile_names_and_arguments_are_shown_as_text(
    show: Callable[..., Page], write_lines: Callable[..., Path]
) -> None:
    """In the tool's name, a path, a value, a message, a note and the file's name."""
    tool = {"name": HOSTILE, "inputSchema": {"properties": {HOSTILE: {"type": "integer"}}}}
    job = Job(contracts=Contracts([tool]), rows=RowReader())
    path = write_lines([{"tool": HOSTILE, "arguments": {HOSTILE: HOSTILE}}])
    found = audit(find_inputs([str(path)]), job)
    found.tally.notes[HOSTILE] = 1
    page = show(to_html(found.tally.to_bytes(), [HOSTILE]))

    assert "toolgauge audit" == page.title()
    expect(page.locator(".kind summary code").first).to_have_text(HOSTILE)
    expect(page.locator(".example pre mark")).to_have_text(json.dumps(HOSTILE))
    expect(page.locator("img")).to_have_count(0)
    expect(page.locator(".remarks")).to_contain_text(HOSTILE)


@pytest.mark.browser
def test_nothing_wrong_is_one_sentence(show: Callable[..., Page]) -> None:
    """No empty tables, no plot without times."""
    tally = Tally(rows=2)
    tally.add_valid({"weather": 2})
    page = show(to_html(tally.to_bytes(), ["calls.jsonl"]))

    expect(page.get_by_role("heading", level=1)).to_have_text("All calls kept their contracts")
    expect(page.locator(".kind, .plot, .bars")).to_have_count(0)


def test_the_page_is_one_file_with_a_strict_policy() -> None:
    """No address of anything, and no code but its own."""
    html = to_html(Tally().to_bytes(), []).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)

    assert policy is not None
    assert "default-src 'none'" in policy[1]
    assert "unsafe" not in policy[1]
    assert not re.search(r"<(?:script|img|link|iframe)[^>]*(?:src|href)=", html)


@pytest.mark.parametrize(
    ("arguments", "path", "marked", "missing"),
    [
        ({"a": {"b": ["é", 3]}}, ("a", "b", 0), '"é"', None),
        ({"a": 1, "b": 2}, ("b",), "2", None),
        ({"a": {"c": 1}}, ("a", "b"), "", "b"),
        ({}, ("city",), "", "city"),
        ([1, {"x": 2}], (1, "x"), "2", None),
        ({"n": 2**70}, ("n",), str(2**70), None),
        ("not json", ("arguments",), None, None),
        (5, (), None, None),
    ],
)
def test_an_example_marks_its_place(
    arguments: Any, path: ValuePath, marked: str | None, missing: str | None
) -> None:
    """By characters of the text that is shown."""
    issue = Issue(path=path, message="is wrong", keyword="type")
    judged = Judged(Row("calls", 1), 0, "t", Verdict.INVALID, (issue,), arguments=arguments)
    example = example_of(judged, issue)

    assert missing == example["missing"]
    if marked is None:
        assert example["mark"] is None
    else:
        first, end = example["mark"]
        assert marked == example["arguments"][first:end]
    if not isinstance(arguments, str):
        json.loads(example["arguments"])


@pytest.mark.parametrize(
    "call",
    [
        {"tool": "wether", "arguments": {"city": "Oslo"}},
        {"tool": "wether", "arguments": {"arguments": 1}},
        {"tool": "weather", "arguments": ["arguments"]},
        {"tool": "weather", "arguments": "{"},
        {"tool": "broken", "arguments": {"a": 1}},
    ],
    ids=lambda call: str(call["arguments"]),
)
def test_what_is_wrong_with_a_row_is_no_place_in_its_arguments(
    call: Any, write_lines: Callable[..., Path]
) -> None:
    """Nothing in them is marked, and nothing missing: the path leads into the row."""
    job = Job(contracts=Contracts([WEATHER, BROKEN]), rows=RowReader())
    found = audit(find_inputs([str(write_lines([call]))]), job, engine=local_engine(1))
    ((example,),) = found.tally.examples.values()
    shown = example.to_json()

    assert (None, None) == (shown["mark"], shown["missing"])


@pytest.mark.parametrize("place", [0, 150, 299])
def test_a_long_example_is_cut_around_its_place(place: int) -> None:
    """The place is in what is left, wherever it was."""
    arguments = {f"key{number}": "x" * 30 for number in range(300)}
    issue = Issue(path=(f"key{place}",), message="is wrong")
    judged = Judged(Row("calls", 1), 0, "t", Verdict.INVALID, (issue,), arguments=arguments)
    example = example_of(judged, issue)
    first, end = example["mark"]

    assert MAX_EXAMPLE_CHARS == len(example["arguments"])
    assert example["isCut"]
    assert orjson.dumps("x" * 30).decode() == example["arguments"][first:end]
