"""The form beside the JSON: one text, two ways to edit it, in a real browser."""

from __future__ import annotations

import base64
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.profile import IS_LONG
from tests.serve.explorer.desk import desk
from toolgauge.serve import create_app

if TYPE_CHECKING:
    from playwright.sync_api import Locator
    from starlette.requests import Request

    from tests.serve.explorer.conftest import Serve, Visit, Visitor

pytestmark = pytest.mark.browser

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "toollists"
SAMPLE = 60 if IS_LONG else 5
ROLE = {"anyOf": [{"$ref": "#/$defs/Role"}, {"type": "null"}], "default": None}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "As people write it"},
        "days": {"type": "integer", "minimum": 1, "maximum": 14, "default": 3},
        "exact": {"type": "number"},
        "active": {"type": "boolean", "default": True},
        "level": {"enum": ["low", 1, "1", None]},
        "role": ROLE,
        "note": {"type": ["string", "null"]},
        "day": {"type": "string", "format": "date"},
        "picture": {"type": "string", "contentEncoding": "base64"},
        "place": {
            "type": "object",
            "properties": {"street": {"type": "string"}, "zip": {"type": "string"}},
            "required": ["zip"],
        },
        "tags": {"type": "array", "items": {"type": "string"}},
        "pair": {
            "type": "array",
            "prefixItems": [{"type": "string"}, {"type": "integer"}],
            "items": False,
        },
        "headers": {"type": "object", "additionalProperties": {"type": "string"}},
        "id": {"type": ["string", "integer"]},
        "anything": {},
        "tree": {"$ref": "#/$defs/Node"},
    },
    "required": ["city"],
    "additionalProperties": False,
    "$defs": {
        "Role": {"type": "string", "enum": ["admin", "guest"]},
        "Node": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
            },
            "required": ["name"],
        },
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """A ``handle_call`` that remembers the bodies that reached it, oldest first."""

    bodies: list[str] = field(default_factory=list)

    async def __call__(
        self, name: str, args: dict[str, Any], request: Request
    ) -> tuple[list[dict[str, Any]], bool, str | None]:
        """Answer and keep the body."""
        self.bodies.append((await request.body()).decode())
        return [{"type": "text", "text": f"{name} took {len(args)}"}], False, None


@pytest.fixture
def handler() -> Handler:
    """Give a fresh memory to each test."""
    return Handler()


@dataclass(frozen=True, slots=True, kw_only=True)
class Composer:
    """One tool's page, and its two panes."""

    visitor: Visitor

    @property
    def form(self) -> Locator:
        """The pane with the fields."""
        return self.visitor.page.get_by_role("form", name="Arguments as a form")

    def field(self, label: str) -> Locator:
        """Give the control that has exactly this name."""
        return self.form.get_by_label(label, exact=True)

    def press(self, name: str) -> None:
        """Press a button of the form."""
        self.form.get_by_role("button", name=name, exact=True).click()

    def holds(self, value: Any) -> None:
        """Wait until the JSON says ``value``, and says it in this order."""
        text = json.dumps(value, indent=2, ensure_ascii=False)
        expect(self.visitor.page.locator(".cm-content")).to_have_text(
            text.replace("\n", ""), use_inner_text=False
        )

    def run(self) -> None:
        """Execute what is composed and wait for success."""
        self.visitor.has_verdict("Valid")
        self.visitor.execute.click()
        expect(self.visitor.result.get_by_text("Success")).to_be_visible()


def compose(
    serve: Serve, visit: Visit, schema: dict[str, Any], handler: Handler, **options: Any
) -> Composer:
    """Open the page of one tool with this schema."""
    tool = {"name": "tool", "description": "", "inputSchema": schema}
    url = serve(create_app([tool], handler, allow_execute=True))
    return Composer(visitor=visit(f"{url}/#/tools/tool", **options))


def test_typing_in_a_field_changes_the_json_and_back(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """Each pane follows the other at once; what is not touched is never sent."""
    page = compose(serve, visit, SCHEMA, handler)
    page.holds({"city": ""})
    page.field("city").fill('Tromsø "north"')
    page.holds({"city": 'Tromsø "north"'})
    page.field("days").fill("5")
    page.holds({"city": 'Tromsø "north"', "days": 5})

    page.visitor.write('{"days": 7, "city": "Bergen\\nNorway"}')
    expect(page.field("days")).to_have_value("7")
    expect(page.field("city")).to_have_value("Bergen\nNorway")

    page.field("days").fill("")
    expect(page.visitor.editor).to_have_text('{"city": "Bergen\\nNorway"}')
    page.run()
    assert [{"city": "Bergen\nNorway"}] == [json.loads(each) for each in handler.bodies]


def test_a_file_becomes_base64(
    serve: Serve, visit: Visit, handler: Handler, tmp_path: Path
) -> None:
    """All bytes of it, by the standard alphabet."""
    content = bytes(range(256)) * 40
    path = tmp_path / "all.bin"
    path.write_bytes(content)
    page = compose(serve, visit, SCHEMA, handler)
    page.field("city").fill("x")
    page.form.locator("input[type=file]").set_input_files(path)
    expect(page.form.get_by_text("all.bin, 10.2 kB")).to_be_visible()
    page.run()

    assert content == base64.b64decode(json.loads(handler.bodies[0])["picture"], validate=True)


def test_a_problem_stands_at_its_field_with_keyword_and_schema_line(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """While typing, in the form, in the list and in the editor; tied to the control."""
    page = compose(serve, visit, SCHEMA, handler)
    page.field("days").fill("99")
    page.visitor.has_verdict("1 problem")
    row = page.form.locator(".form-field.has-problem")
    line = 'Schema, line 11: "maximum": 14,'

    expect(row).to_have_count(1)
    expect(row).to_contain_text("maximum")
    expect(row).to_contain_text(line)
    expect(page.visitor.problems).to_contain_text(line)
    expect(page.visitor.page.locator(".cm-lintRange-error")).to_have_text("99")
    described = page.field("days").get_attribute("aria-describedby") or ""
    problems = page.visitor.page.locator(", ".join(f"[id='{each}']" for each in described.split()))
    expect(problems.last).to_contain_text("maximum")
    expect(page.field("days")).to_have_attribute("aria-invalid", "true")
    page.field("days").fill("9")
    page.visitor.has_verdict("Valid")
    expect(row).to_have_count(0)

    page.visitor.write('{"place": {"street": 5}, "tags": [1]}')
    page.visitor.has_verdict("4 problems")
    expect(page.form.locator(".has-problem")).to_have_count(4)


def test_fill_example_writes_a_valid_call(serve: Serve, visit: Visit, handler: Handler) -> None:
    """With what is required, or with everything; Reset leads back."""
    page = compose(serve, visit, SCHEMA, handler)
    group = page.visitor.page.get_by_role("group", name="Fill example")
    group.get_by_role("button", name="All").click()
    page.visitor.has_verdict("Valid")
    expect(page.field("name")).to_have_value("example")
    page.run()
    group.get_by_role("button", name="Required").click()
    page.holds({"city": "example"})
    page.visitor.page.get_by_role("button", name="Reset").click()
    page.holds({"city": ""})

    assert set(SCHEMA["properties"]) == set(json.loads(handler.bodies[0]))


def test_the_form_is_filled_with_the_keyboard_alone(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """Tab goes from field to field in reading order; every control has a name."""
    schema = {
        "type": "object",
        "properties": {key: SCHEMA["properties"][key] for key in ("city", "days", "active")},
        "required": ["city"],
    }
    page = compose(serve, visit, schema, handler)
    keyboard = page.visitor.page.keyboard
    page.field("city").focus()
    keyboard.type("x")
    keyboard.press("Tab")
    expect(page.field("days")).to_be_focused()
    keyboard.type("2")
    keyboard.press("Tab")
    keyboard.press("Tab")
    keyboard.press("Space")
    page.holds({"city": "x", "days": 2, "active": True})
    page.visitor.has_verdict("Valid")
    keyboard.press("ControlOrMeta+Enter")
    expect(page.visitor.result.get_by_text("Success")).to_be_visible()
    nameless = page.form.evaluate(
        """form => [...form.querySelectorAll('input, textarea, select, button')].filter(each =>
             !each.hidden && each.getAttribute('aria-hidden') !== 'true' &&
             !each.labels?.length && !each.ariaLabel && !each.getAttribute('aria-labelledby') &&
             !each.textContent.trim()).length"""
    )
    assert 0 == nameless


def test_the_editor_completes_names_and_values(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """Names with their type, values of a choice, and what stands there already is not offered."""
    page = compose(serve, visit, SCHEMA, handler)
    options = page.visitor.page.locator(".cm-tooltip-autocomplete li")
    keyboard = page.visitor.page.keyboard
    page.visitor.write('{"city": "x", ')
    keyboard.type('"le')
    expect(options.first).to_contain_text("level")
    # By the mouse: for a moment the editor takes no Enter, so that none is taken by mistake.
    options.first.click()
    expect(page.visitor.editor).to_contain_text('"level": ')
    page.visitor.write('{"city": "x", "level": ')
    keyboard.press("Control+Space")
    expect(options).to_have_count(4)
    expect(options.nth(0)).to_contain_text("low")
    keyboard.press("Escape")
    page.visitor.write('{"city": "x", ')
    keyboard.press("Control+Space")
    expect(options.filter(has_text="city")).to_have_count(0)
    expect(options.filter(has_text="days").filter(has_text="integer")).to_have_count(1)


def test_the_panes_fit_the_screen(serve: Serve, visit: Visit, handler: Handler) -> None:
    """Side by side where there is room, else one below the other; each can be shown alone."""
    page = compose(serve, visit, SCHEMA, handler).visitor.page
    form, code = (page.locator(f".pane-{name}") for name in ("form", "json"))
    expect(form).to_be_visible()
    for width in (360, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        boxes = form.bounding_box(), code.bounding_box()
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert (width > 1_000) == (boxes[0]["y"] == boxes[1]["y"])
        assert width == page.evaluate("document.documentElement.scrollWidth")
    page.get_by_role("button", name="JSON", exact=True).first.click()
    expect(form).to_be_hidden()
    page.get_by_role("button", name="Both", exact=True).click()
    expect(form).to_be_visible()


LATENCY = """async () => {
  const field = document.querySelector('.form textarea.form-input');
  const status = document.querySelector('.validity [role=status]');
  const times = [];
  for (let round = 0; round < 9; round++) {
    const started = performance.now();
    const answered = new Promise((resolve) => {
      let isAsked = false;
      const watch = new MutationObserver(() => {
        if (status.textContent === 'Checking…') isAsked = true;
        else if (isAsked) { watch.disconnect(); resolve(performance.now() - started); }
      });
      watch.observe(status, { childList: true, characterData: true, subtree: true });
    });
    field.focus();
    document.execCommand('insertText', false, 'x');
    times.push(await answered);
  }
  return times.sort((one, other) => one - other);
}"""


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus lies beside the project, not in it")
def test_real_tools_are_filled_and_valid(
    serve: Serve, visit: Visit, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each has a form, valid examples and targets, and a keystroke is judged while typing."""
    tools = [
        {**tool, "name": f"{path.stem}.{tool['name']}"}
        for path in sorted(CORPUS.glob("*.json"))
        for tool in json.loads(path.read_text())["tools"]
    ]
    widest = max(tools, key=lambda tool: len(tool["inputSchema"].get("properties", {})))
    sample = [*tools[:: len(tools) // SAMPLE][:SAMPLE], widest]
    visitor = visit(serve(desk(sample)))
    page = visitor.page
    for tool in sample:
        page.evaluate("hash => { location.hash = hash }", f"#/tools/{tool['name']}")
        expect(page.get_by_role("heading", name=tool["name"], exact=True)).to_be_visible()
        group = page.get_by_role("group", name="Fill example")
        for extent in ("Required", "All"):
            group.get_by_role("button", name=extent).click()
            visitor.has_verdict("Valid")
        fields = page.locator(".form-field")
        assert len(tool["inputSchema"].get("properties", {})) <= fields.count(), tool["name"]
        page.evaluate("() => { location.hash += '?view=targets' }")
        expect(page.locator(".target-card")).to_be_visible()
    page.get_by_role("link", name="Try it").click()

    times = page.evaluate(LATENCY)
    with capsys.disabled():
        sys.stdout.write(f"\nkeystroke to verdict, {widest['name']}: {times[4]:.0f} ms (median)\n")
    # The wish is 150 ms; ten times that fails on any machine where something is really wrong.
    assert times[4] < 1_500
