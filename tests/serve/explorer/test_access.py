"""Issue point 7: keyboard, screen readers, contrast, motion, narrow screens, light and dark."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.profile import IS_LONG, long_run
from tests.serve.explorer.desk import desk

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.serve.explorer.conftest import Serve, Visit, Visitor

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[3]
AXE = ROOT / "ui" / "node_modules" / "axe-core" / "axe.min.js"
IMAGES = ROOT / "docs" / "images"
VIEWS = {
    "list": "#/",
    "try": "#/tools/weather_past",
    "parts": "#/tools/parts",
    "take": "#/tools/weather_past",
    "targets": "#/tools/weather_past?view=targets&target=openai-strict",
    "lowered": "#/tools/weather_past?view=targets&target=openai-strict",
    "fault": "#/tools/weather_past?fault=minLength%40%2Fparams%2Farguments%2Fcity",
    "matrix": "#/targets",
    "log": "#/log",
    "missing": "#/tools/nope",
}


@pytest.fixture(scope="module")
def axe() -> str:
    """Give the text of axe-core."""
    if not AXE.is_file():
        reason = "axe-core is needed: npm ci in ui/"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return AXE.read_text(encoding="utf-8")


def prepare(visitor: Visitor, view: str) -> None:
    """Bring a view into the state in which it shows the most."""
    page = visitor.page
    if view == "try":
        _two_runs(visitor)
    elif view == "parts":
        visitor.has_verdict("Valid")
        visitor.execute.click()
        expect(visitor.result.get_by_text("Success")).to_be_visible()
    elif view == "log":
        for body in ({"city": "Oslo"}, {"city": "x"}, {}):
            page.request.post(page.url.split("#")[0] + "tools/weather_past/call", data=body)
        expect(page.locator(".log tbody tr")).to_have_count(3)
    elif view == "list":
        expect(page.locator(".tool-row")).to_have_count(6)
    else:
        _one_look(page, view)


def _one_look(page: Page, view: str) -> None:
    """Open what is folded, and wait for what is shown last."""
    tab = {"take": "Take away", "lowered": "What it would take"}.get(view)
    if tab is not None:
        page.get_by_role("tab", name=tab).click()
    target = page.get_by_role("heading", name="OpenAI strict function calling")
    last = {
        "take": page.get_by_role("button", name="Mistral chat"),
        "targets": target,
        "lowered": target,
        "matrix": page.get_by_role("grid"),
    }.get(view, page.get_by_role("alert"))
    expect(last).to_be_visible()


def _two_runs(visitor: Visitor) -> None:
    """Run twice, and compare the two."""
    visitor.has_verdict("1 problem")
    for city in ("Oslo", "Bergen"):
        visitor.write(f'{{"city": "{city}"}}')
        visitor.has_verdict("Valid")
        visitor.execute.click()
        expect(visitor.result.get_by_text("Success")).to_be_visible()
    history = visitor.page.get_by_role("region", name="History")
    expect(history.get_by_role("listitem")).to_have_count(2)
    for box in history.get_by_role("checkbox").all():
        box.check()
    visitor.result.get_by_role("tab", name="Structured").click()
    expect(visitor.result.get_by_role("treeitem").first).to_be_visible()


def findings(page: Page, axe: str, **options: Any) -> list[tuple[str, str, str]]:
    """Ask axe for what is wrong: rule, element, reason."""
    # Through the debugger, which no policy of the page concerns.
    page.evaluate(axe)
    found: dict[str, Any] = page.evaluate(
        "(options) => axe.run(document, options).then(({violations}) => ({violations}))",
        {"resultTypes": ["violations"], **options},
    )
    return [
        (each["id"], str(node["target"]), node["failureSummary"])
        for each in found["violations"]
        for node in each["nodes"]
    ]


# Dark colors differ in nothing but contrast; all rules in both take four times as long.
IN_DARK: dict[str, Any] = {} if IS_LONG else {"runOnly": ["color-contrast"]}
NARROW = {"width": 360, "height": 700}


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(serve: Serve, visit: Visit, axe: str, view: str) -> None:
    """In light and dark; and at 360 pixels, also 1440 at 400 %, nothing sticks out."""
    visitor = visit(f"{serve(desk())}/{VIEWS[view]}", color_scheme="light", reduced_motion="reduce")
    prepare(visitor, view)
    page = visitor.page

    assert [] == findings(page, axe)
    page.emulate_media(color_scheme="dark")
    assert [] == findings(page, axe, **IN_DARK)
    page.set_viewport_size({"width": 360, "height": 700})
    assert 360 == page.evaluate("document.documentElement.scrollWidth")


@long_run
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_on_a_narrow_screen(
    serve: Serve, visit: Visit, axe: str, view: str
) -> None:
    """Where the views are opened at that width."""
    options: dict[str, Any] = {"viewport": NARROW, "reduced_motion": "reduce"}
    visitor = visit(f"{serve(desk())}/{VIEWS[view]}", **options)
    prepare(visitor, view)

    assert 360 == visitor.page.evaluate("document.documentElement.scrollWidth")
    assert [] == findings(visitor.page, axe)


def test_a_call_is_made_without_a_mouse(serve: Serve, visit: Visit) -> None:
    """From the filter to the tool, into the editor, to the result, to the history."""
    visitor = visit(serve(desk()))
    page = visitor.page
    expect(page.locator(".tool-row")).to_have_count(6)
    page.keyboard.press("/")
    page.keyboard.type("past")
    expect(page.locator(".tool-row")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="weather_past")).to_be_visible()
    visitor.editor.focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text('{"city": "Oslo"}')
    visitor.has_verdict("Valid")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(visitor.result.get_by_text("Success")).to_be_visible()
    visitor.result.get_by_role("tab", name="Content").focus()
    page.keyboard.press("ArrowRight")
    expect(visitor.result.get_by_role("tab", name="Structured")).to_be_focused()
    expect(visitor.result.get_by_role("tree")).to_be_visible()
    page.get_by_role("checkbox").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(visitor.result).to_contain_text("of the run at")


def test_the_focus_goes_in_the_order_of_the_page(serve: Serve, visit: Visit) -> None:
    """Skip link, header, list, tool; and the skip link skips."""
    page = visit(f"{serve(desk())}/#/tools/weather_now").page
    expect(page.get_by_role("heading", name="weather_now")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    names: list[str] = []
    page.evaluate("document.querySelector('.skip').focus()")
    for _ in range(11):
        names.append(
            page.evaluate(
                "document.activeElement.getAttribute('aria-label')"
                " ?? document.activeElement.textContent.trim()"
            )
        )
        page.keyboard.press("Tab")

    assert [
        "Skip to the tool",
        "Weather desk",
        "Tools",
        "Targets",
        "Log",
        "Use dark colours",
    ] == names[:6]
    assert ["Collapse all", "Reload the list"] == names[7:9]
    assert names[9].startswith("weather_now")
    assert "Copy the name" == names[10].replace("  ", " ")
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_motion_stops_where_it_is_not_wanted(serve: Serve, visit: Visit) -> None:
    """The one animation of the page is the sign that a call is running."""
    visitor = visit(f"{serve(desk())}/#/tools/parts", reduced_motion="reduce")
    visitor.page.route("**/call", lambda _: None)
    visitor.has_verdict("Valid")
    visitor.execute.click()
    spinner = visitor.page.locator(".spinner")
    expect(spinner).to_have_css("animation-name", "none")
    visitor.page.emulate_media(reduced_motion="no-preference")
    expect(spinner).to_have_css("animation-name", "turn")


SHOTS = {
    "explorer-try": ("try", 1360, 900, "light"),
    "explorer-try-dark": ("try", 1360, 900, "dark"),
    "explorer-targets": ("lowered", 1360, 900, "light"),
    "explorer-matrix": ("matrix", 1360, 540, "light"),
    "explorer-log": ("log", 1360, 300, "dark"),
    "explorer-narrow": ("lowered", 400, 860, "light"),
}


@long_run
@pytest.mark.parametrize("name", SHOTS)
def test_the_main_views_are_photographed(serve: Serve, visit: Visit, name: str) -> None:
    """For the README and the guides."""
    from toolgauge.demo import tools as demo

    view, width, height, scheme = SHOTS[name]
    options: dict[str, Any] = {
        "viewport": {"width": width, "height": height},
        "color_scheme": scheme,
        "reduced_motion": "reduce",
    }
    url = serve(desk(demo, title="toolgauge"))
    visitor = visit(f"{url}/{_demo_hash(view)}", **options)
    _demo_state(visitor, view)
    visitor.page.screenshot(path=IMAGES / f"{name}.png")

    assert (IMAGES / f"{name}.png").stat().st_size > 10_000


def _demo_hash(view: str) -> str:
    """Give the address of a view of the demo."""
    more = "?view=targets&target=openai-strict" if view == "lowered" else ""
    return VIEWS[view] if view in {"matrix", "log"} else f"#/tools/query_cities{more}"


def _demo_state(visitor: Visitor, view: str) -> None:
    """Let a view of the demo show what it is for."""
    page = visitor.page
    if view == "lowered":
        page.get_by_role("tab", name="What it would take").click()
        expect(page.locator(".diff")).to_be_visible()
    elif view == "matrix":
        expect(page.get_by_role("grid")).to_be_visible()
    elif view == "log":
        base = page.url.split("#")[0] + "tools/convert_units/call"
        for body in ({"value": 3, "from": "mile", "to": "kilometer"}, {"value": "3"}, {}):
            page.request.post(base, data=body)
        expect(page.locator(".log tbody tr")).to_have_count(3)
    else:
        visitor.has_verdict("Valid")
        visitor.execute.click()
        expect(visitor.result.get_by_text("Success")).to_be_visible()
        visitor.result.get_by_role("tab", name="Structured").click()
        visitor.result.scroll_into_view_if_needed()
