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

from toolgauge.serve import create_app

if TYPE_CHECKING:
    from playwright.sync_api import Locator
    from starlette.requests import Request

    from tests.serve.explorer.conftest import Serve, Visit, Visitor

pytestmark = pytest.mark.browser

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "toollists"
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
C28 = {
    "type": "object",
    "properties": {
        "direction": {"anyOf": [{"type": "string", "enum": ["send", "receive"]}, {"type": "null"}]},
        "role": ROLE,
    },
    "$defs": {"Role": {"type": "string", "enum": ["admin", "guest"]}},
}
C29 = {
    "type": "object",
    "properties": {
        "config": {"type": "object", "additionalProperties": True},
        "params": {
            "anyOf": [{"type": "object", "additionalProperties": True}, {"type": "null"}],
            "default": None,
        },
    },
    "required": ["config"],
}
C32 = {
    "type": "object",
    "anyOf": [
        {
            "properties": {"kind": {"const": "email"}, "address": {"type": "string"}},
            "required": ["kind", "address"],
        },
        {
            "properties": {"kind": {"const": "sms"}, "phone": {"type": "string"}},
            "required": ["kind", "phone"],
        },
    ],
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


def test_big_integers_and_spellings_survive_edits_in_the_form(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """What is typed goes in as typed; the rest keeps its tokens, its order and its layout."""
    page = compose(serve, visit, SCHEMA, handler)
    page.visitor.write('{"exact": 1.0, "days": 12345678901234567890, "city": "x"}')
    expect(page.field("exact")).to_have_value("1.0")
    expect(page.field("days")).to_have_value("12345678901234567890")
    page.field("city").fill("y")
    wanted = '{"exact": 1.0, "days": 12345678901234567890, "city": "y"}'
    expect(page.visitor.editor).to_have_text(wanted)

    page.field("exact").fill("1.50e3")
    page.field("days").fill("1")
    expect(page.visitor.editor).to_have_text('{"exact": 1.50e3, "days": 1, "city": "y"}')
    page.run()
    assert ['{"exact": 1.50e3, "days": 1, "city": "y"}'] == handler.bodies


def test_an_optional_is_left_out_until_it_is_wished(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """Empty text and null are sent only when they are asked for, and can be taken back."""
    page = compose(serve, visit, SCHEMA, handler)
    page.field("note").fill("a")
    page.holds({"city": "", "note": "a"})
    page.field("note").fill("")
    page.holds({"city": ""})
    page.press("Set note to empty text")
    page.holds({"city": "", "note": ""})
    page.press("note is null")
    page.holds({"city": "", "note": None})
    page.press("Leave note out")
    page.holds({"city": ""})

    expect(page.field("days")).to_have_attribute("placeholder", "default: 3")
    page.form.get_by_role("radio", name="false").check(force=True)
    page.holds({"city": "", "active": False})
    page.press("Leave active out")
    page.holds({"city": ""})


def test_choices_keep_the_type_of_their_values(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """A number, the text that looks like it and null are three different choices."""
    page = compose(serve, visit, SCHEMA, handler)
    level = page.field("level")
    expect(level.locator("option")).to_have_text(["not set", "low", "1", '"1"', "null"])
    for label, value in (("1", 1), ('"1"', "1"), ("null", None), ("low", "low")):
        level.select_option(label)
        page.holds({"city": "", "level": value})
    level.select_option("not set")
    page.holds({"city": ""})

    page.visitor.write('{"city": "", "level": "strange"}')
    expect(level.locator("option:checked")).to_have_text('"strange" (not a choice)')


def test_c28_a_nullable_enum_is_a_list_with_a_way_back(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """Also through a reference; cleared, it is gone from the payload."""
    page = compose(serve, visit, C28, handler)
    expect(page.field("role").locator("option")).to_have_text(
        ["not set (default: null)", "admin", "guest", "null"]
    )
    page.field("direction").select_option("send")
    page.run()
    page.field("direction").select_option("not set")
    page.holds({})
    page.run()
    expect(page.visitor.result).to_contain_text("took 0")

    assert [{"direction": "send"}, {}] == [json.loads(each) for each in handler.bodies]


def test_c29_json_typed_into_a_field_is_sent_as_an_object(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """Broken JSON in the field is an error in the page, and no call is sent."""
    page = compose(serve, visit, C29, handler)
    page.field("config").fill('{"a": ')
    expect(page.form.get_by_text("This is not JSON")).to_be_visible()
    expect(page.visitor.problems).to_contain_text("/config")
    expect(page.visitor.execute).to_be_disabled()
    page.field("config").fill('{"a": 1}')
    expect(page.visitor.problems).to_have_count(0)
    page.field("params").fill('{"a": 1}')
    page.run()

    assert [{"config": {"a": 1}, "params": {"a": 1}}] == [json.loads(b) for b in handler.bodies]


def test_c32_a_union_at_the_root_is_chosen_and_filled(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """The fields are those of the branch; what was typed in one comes back with it."""
    page = compose(serve, visit, C32, handler)
    chooser = page.field("Kind of Arguments")
    expect(page.field("address")).to_be_visible()
    page.field("address").fill("a@example.org")
    chooser.select_option("sms")
    expect(page.field("address")).to_have_count(0)
    page.field("phone").fill("1")
    page.run()
    chooser.select_option("email")
    expect(page.field("address")).to_have_value("a@example.org")
    page.visitor.write("{}")
    page.visitor.has_verdict("1 problem")
    expect(page.form.locator(".form-problems").first).to_contain_text("anyOf")

    page.visitor.write('{"kind": "sms", "phone": "2"}')
    expect(chooser.locator("option:checked")).to_have_text("sms")
    assert [{"kind": "sms", "phone": "1"}] == [json.loads(each) for each in handler.bodies]


def test_objects_lists_and_maps_are_built_in_the_form(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """Parts are added, moved, renamed and removed; recursion goes as deep as it is clicked."""
    page = compose(serve, visit, SCHEMA, handler)
    page.field("city").fill("x")
    page.press("Add place")
    expect(page.field("street")).to_be_focused()
    page.field("zip").fill("5003")
    page.holds({"city": "x", "place": {"zip": "5003"}})
    page.press("Leave place out")

    page.press("Add item to tags")
    page.visitor.page.keyboard.type("one")
    page.press("Add item to tags")
    page.visitor.page.keyboard.type("two")
    page.holds({"city": "x", "tags": ["one", "two"]})
    page.press("Move item 2 of tags up")
    page.holds({"city": "x", "tags": ["two", "one"]})
    page.press("Remove 1")
    page.holds({"city": "x", "tags": ["one"]})
    page.press("Leave tags out")

    page.press("Add headers")
    page.field("Name of a new member of headers").fill("Accept")
    page.visitor.page.keyboard.press("Enter")
    page.visitor.page.keyboard.type("text/html")
    page.holds({"city": "x", "headers": {"Accept": "text/html"}})
    page.field("Name of Accept").fill("accept")
    page.visitor.page.keyboard.press("Enter")
    page.holds({"city": "x", "headers": {"accept": "text/html"}})
    page.press("Leave headers out")

    page.press("Add item to pair")
    page.press("Add item to pair")
    expect(page.form.get_by_text("No more items are allowed.")).to_be_visible()
    page.holds({"city": "x", "pair": ["", 0]})
    page.press("Leave pair out")

    page.press("Add tree")
    page.visitor.page.keyboard.type("root")
    page.press("Add item to children")
    page.visitor.page.keyboard.type("leaf")
    page.holds({"city": "x", "tree": {"name": "root", "children": [{"name": "leaf"}]}})
    page.run()


def test_a_kind_is_chosen_where_several_are_allowed(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """Nothing is sent until the value is typed; any value at all can be built."""
    page = compose(serve, visit, SCHEMA, handler)
    page.field("Kind of id").select_option("Whole number")
    page.holds({"city": ""})
    page.field("id").fill("12")
    page.holds({"city": "", "id": 12})
    page.field("Kind of id").select_option("Text")
    page.field("id").fill("12")
    page.holds({"city": "", "id": "12"})
    page.field("Kind of id").select_option("not set")

    page.field("Kind of anything").select_option("List")
    page.press("Add item to anything")
    page.field("Kind of 1").select_option("True or false")
    page.form.get_by_role("radio", name="true").last.check(force=True)
    page.holds({"city": "", "anything": [True]})
    page.field("Kind of anything").select_option("null")
    page.holds({"city": "", "anything": None})


def test_dates_are_typed_or_picked(serve: Serve, visit: Visit, handler: Handler) -> None:
    """The field is text, so that any value can stand in it; the picker writes into it."""
    page = compose(serve, visit, SCHEMA, handler)
    page.field("day").fill("2026-02")
    page.holds({"city": "", "day": "2026-02"})
    page.press("Pick day")
    page.form.locator("input[type=date]").fill("2026-02-03", force=True)
    page.holds({"city": "", "day": "2026-02-03"})


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


def test_half_a_number_is_a_problem_and_not_a_value(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """The call waits, the JSON keeps what it had, and the next digit mends it."""
    page = compose(serve, visit, SCHEMA, handler)
    page.field("days").fill("5")
    page.field("days").fill("5e")
    expect(page.form.get_by_text("This is not a JSON number.")).to_be_visible()
    page.holds({"city": "", "days": 5})
    expect(page.visitor.execute).to_be_disabled()
    page.visitor.page.keyboard.type("0")
    expect(page.visitor.editor).to_contain_text('"days": 5e0')
    page.run()


def test_broken_json_stops_the_form_and_mending_starts_it(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """The fields wait with what was last right; nothing is lost."""
    page = compose(serve, visit, SCHEMA, handler)
    page.visitor.write('{"city": "x", ')
    expect(page.form.get_by_text("The JSON is broken.")).to_be_visible()
    expect(page.field("city")).to_be_disabled()
    page.visitor.write('{"city": "y"}')
    expect(page.field("city")).to_be_enabled()
    expect(page.field("city")).to_have_value("y")


def test_a_value_that_a_field_cannot_hold_is_shown_as_json(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """Another type, control characters: nothing is changed by looking at it."""
    page = compose(serve, visit, SCHEMA, handler)
    text = '{"city": "a\\r\\nb\\u0007", "days": "three", "zz": 1}'
    page.visitor.write(text)
    page.visitor.has_verdict("2 problems")
    expect(page.field("city")).to_have_value('"a\\r\\nb\\u0007"')
    expect(page.field("days")).to_have_value('"three"')
    page.press("Remove zz")
    page.field("days").fill("3")
    expect(page.visitor.editor).to_have_text('{"city": "a\\r\\nb\\u0007", "days": 3}')
    page.run()


def test_an_edit_in_the_form_is_undone_in_the_editor(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """There is one history."""
    page = compose(serve, visit, SCHEMA, handler)
    page.press("Add place")
    page.visitor.editor.click()
    page.visitor.page.keyboard.press("ControlOrMeta+z")
    page.holds({"city": ""})


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


def test_ten_thousand_items_do_not_stop_the_form(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """A page of them is shown, the rest on demand, and typing goes on."""
    page = compose(serve, visit, SCHEMA, handler)
    tags = ",".join(f'"t{index}"' for index in range(10_000))
    page.visitor.write(f'{{"city": "x", "tags": [{tags}]}}')
    expect(page.form.get_by_role("button", name="Show more of 9,960")).to_be_visible()
    page.field("city").fill("y")
    page.visitor.has_verdict("Valid")
    expect(page.field("city")).to_have_value("y")


def test_hostile_names_and_texts_stay_text(serve: Serve, visit: Visit, handler: Handler) -> None:
    """Markup in names, descriptions, choices and examples is shown, never run."""
    markup = "<img src=x onerror=alert(1)>"
    schema = {
        "type": "object",
        "properties": {
            markup: {"type": "string", "description": markup, "examples": [markup]},
            "c": {"oneOf": [{"const": markup, "title": markup}, {"const": "b"}]},
            "__proto__": {"type": "string"},
            "a b": {"type": "string", "description": "spaces"},
        },
    }
    page = compose(serve, visit, schema, handler)
    page.field(markup).fill(markup)
    page.field("__proto__").fill("p")
    page.field("a b").fill("s")
    page.field("c").select_option(index=1)
    page.run()

    expect(page.visitor.page.locator("img")).to_have_count(0)
    assert {markup: markup, "c": markup, "__proto__": "p", "a b": "s"} == json.loads(
        handler.bodies[0]
    )


@pytest.mark.parametrize("width", [360, 1440])
def test_the_panes_fit_the_screen(serve: Serve, visit: Visit, handler: Handler, width: int) -> None:
    """Side by side where there is room, else one below the other; each can be shown alone."""
    page = compose(serve, visit, SCHEMA, handler, viewport={"width": width, "height": 900})
    form, code = (page.visitor.page.locator(f".pane-{name}") for name in ("form", "json"))
    expect(form).to_be_visible()
    boxes = form.bounding_box(), code.bounding_box()
    assert boxes[0] is not None
    assert boxes[1] is not None

    assert (width > 1_000) == (boxes[0]["y"] == boxes[1]["y"])
    assert width == page.visitor.page.evaluate("document.documentElement.scrollWidth")
    page.visitor.page.get_by_role("button", name="JSON", exact=True).first.click()
    expect(form).to_be_hidden()
    page.visitor.page.get_by_role("button", name="Both", exact=True).click()
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
def test_sixty_real_tools_are_filled_and_valid(
    serve: Serve, visit: Visit, handler: Handler, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each has a form, its example is valid at once, and a keystroke is judged while typing."""
    tools = [
        {**tool, "name": f"{path.stem}.{tool['name']}"}
        for path in sorted(CORPUS.glob("*.json"))
        for tool in json.loads(path.read_text())["tools"]
    ]
    sample = tools[:: len(tools) // 60][:60]
    widest = max(tools, key=lambda tool: len(tool["inputSchema"].get("properties", {})))
    url = serve(create_app([*sample, widest], handler, allow_execute=True))
    visitor = visit(url)
    for tool in [*sample, widest]:
        visitor.page.evaluate("hash => { location.hash = hash }", f"#/tools/{tool['name']}")
        heading = visitor.page.get_by_role("heading", name=tool["name"], exact=True)
        expect(heading).to_be_visible()
        group = visitor.page.get_by_role("group", name="Fill example")
        group.get_by_role("button", name="All").click()
        visitor.has_verdict("Valid")
        fields = visitor.page.locator(".form-field")
        assert len(tool["inputSchema"].get("properties", {})) <= fields.count(), tool["name"]

    times = visitor.page.evaluate(LATENCY)
    with capsys.disabled():
        sys.stdout.write(f"\nkeystroke to verdict, {widest['name']}: {times[4]:.0f} ms (median)\n")
    # The wish is 150 ms; ten times that fails on any machine where something is really wrong.
    assert times[4] < 1_500
