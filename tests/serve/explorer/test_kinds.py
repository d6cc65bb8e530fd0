"""The form where several kinds are allowed, and where parts move: an item keeps what is its own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.serve.explorer.desk import desk
from toolgauge import Tool

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.serve.explorer.conftest import Serve, Visit, Visitor

pytestmark = pytest.mark.browser


def _animal(kind: str, member: str) -> dict[str, Any]:
    return {
        "type": "object",
        "title": kind,
        "properties": {member: {"type": "string"}, "name": {"type": "string"}},
        "required": [member],
    }


ANIMAL = {"oneOf": [_animal("Cat", "meow"), _animal("Dog", "bark")]}
SCHEMA = {
    "type": "object",
    "properties": {
        "pet": ANIMAL,
        "list": {"type": "array", "items": ANIMAL},
        "nums": {"type": "array", "items": {"type": "number"}},
        "env": {"type": "object", "additionalProperties": {"type": "string"}},
        "when": {"type": "string", "format": "date-time"},
    },
}


@dataclass(frozen=True, kw_only=True)
class Form:
    """The form of one tool."""

    visitor: Visitor

    @property
    def page(self) -> Page:
        """Playwright's page."""
        return self.visitor.page

    def kind(self, of: str) -> Locator:
        """Give the choice of a kind."""
        return self.page.get_by_role("combobox", name=f"Kind of {of}", exact=True)

    def button(self, name: str) -> Locator:
        """Give a button by its whole name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def box(self, name: str) -> Locator:
        """Give a text field by its whole name."""
        return self.page.get_by_role("textbox", name=name, exact=True)

    def holds(self, value: object) -> None:
        """Wait until the editor holds this value."""
        self.visitor.has_verdict("Valid")
        assert value == json.loads(self.visitor.written())


@pytest.fixture
def form(serve: Serve, visit: Visit) -> Form:
    """Open the form."""
    tool = Tool(name="tool", description="", input_schema=SCHEMA)
    return Form(visitor=visit(f"{serve(desk([tool]))}/#/tools/tool"))


def test_another_kind_takes_over_what_both_know(form: Form) -> None:
    """And nothing else; what was written for a kind comes back with it."""
    form.visitor.write('{"pet": {"meow": "tom", "name": "Tom"}}')
    expect(form.kind("pet")).to_have_value("0")
    form.kind("pet").select_option("Dog")
    form.holds({"pet": {"bark": "", "name": "Tom"}})
    expect(form.box("meow")).to_have_count(0)
    form.box("bark").fill("woof")
    form.holds({"pet": {"bark": "woof", "name": "Tom"}})
    form.kind("pet").select_option("Cat")
    form.holds({"pet": {"meow": "tom", "name": "Tom"}})
    # What is typed in the JSON decides, too.
    form.visitor.write('{"pet": {"bark": "rex"}}')
    expect(form.kind("pet")).to_have_value("1")


def test_an_item_keeps_its_kind_where_it_moves(form: Form) -> None:
    """By the buttons; what is written in the editor has its own."""
    form.button("Add item to list").click()
    form.kind("1").select_option("Dog")
    form.box("bark").fill("rex")
    form.button("Add item to list").click()
    form.box("meow").fill("tom")
    form.button("Move item 2 of list up").click()
    form.holds({"list": [{"meow": "tom"}, {"bark": "rex"}]})
    expect(form.kind("1")).to_have_value("0")
    expect(form.kind("2")).to_have_value("1")
    form.visitor.write('{"list": [{"bark": "rex"}, {"meow": "tom"}]}')
    expect(form.kind("1")).to_have_value("1")
    expect(form.kind("2")).to_have_value("0")
    form.button("Remove 1").click()
    form.holds({"list": [{"meow": "tom"}]})
    expect(form.kind("1")).to_have_value("0")


def test_what_is_half_typed_goes_with_its_item(form: Form) -> None:
    """It moves with it and is gone with it, also among equals."""
    form.visitor.write('{"nums": [5, 5, 7]}')
    numbers = form.page.locator(".form-items input")
    expect(numbers).to_have_count(3)
    numbers.nth(0).fill("5e")
    form.button("Move item 1 of nums down").click()
    expect(numbers.nth(1)).to_have_value("5e")
    expect(numbers.nth(0)).to_have_value("5")
    form.button("Remove 2").click()

    expect(numbers).to_have_count(2)
    expect(numbers.nth(0)).to_have_value("5")
    expect(numbers.nth(1)).to_have_value("7")
    expect(form.page.locator("#run-reason")).not_to_contain_text("no value yet")


def test_the_focus_goes_with_what_is_moved(form: Form) -> None:
    """And to the neighbour of what is removed."""
    form.visitor.write('{"nums": [1, 2, 3]}')
    form.button("Move item 1 of nums down").focus()
    form.page.keyboard.press("Enter")
    expect(form.button("Move item 2 of nums down")).to_be_focused()
    form.page.keyboard.press("Enter")
    expect(form.button("Move item 3 of nums up")).to_be_focused()
    form.holds({"nums": [2, 3, 1]})
    form.button("Remove 2").focus()
    form.page.keyboard.press("Enter")
    expect(form.button("Remove 2")).to_be_focused()
    form.page.keyboard.press("Enter")
    expect(form.button("Remove 1")).to_be_focused()
    form.page.keyboard.press("Enter")
    expect(form.button("Add item to nums")).to_be_focused()
    form.holds({"nums": []})


def test_a_renamed_member_keeps_the_focus(form: Form) -> None:
    """With Enter, and where the Tab key goes on to its value."""
    form.visitor.write('{"env": {"A": "1", "B": "2"}}')
    form.box("Name of A").focus()
    form.page.keyboard.press("End")
    form.page.keyboard.type("X")
    form.page.keyboard.press("Tab")
    expect(form.box("AX")).to_be_focused()
    form.page.keyboard.type("9")
    form.holds({"env": {"AX": "19", "B": "2"}})
    form.box("Name of B").focus()
    form.page.keyboard.press("End")
    form.page.keyboard.type("Y")
    form.page.keyboard.press("Enter")
    expect(form.box("Name of BY")).to_be_focused()
    form.holds({"env": {"AX": "19", "BY": "2"}})
    form.button("Remove AX").click()
    expect(form.button("Remove BY")).to_be_focused()


def test_a_moment_is_picked_in_the_offset_that_is_written(serve: Serve, visit: Visit) -> None:
    """Not in that of the computer where the page is."""
    tool = Tool(name="tool", description="", input_schema=SCHEMA)
    url = f"{serve(desk([tool]))}/#/tools/tool"
    form = Form(visitor=visit(url, timezone_id="Europe/Berlin"))
    picker = form.page.locator("input[type=datetime-local]")
    picker.fill("2026-02-01T14:30:00", force=True)
    form.holds({"when": "2026-02-01T14:30:00+01:00"})
    form.visitor.write('{"when": "2026-01-31T14:30:15.250-05:00"}')
    form.button("Pick when").click()
    expect(picker).to_have_value("2026-01-31T14:30:15")
    picker.fill("2026-02-02T14:30:15", force=True)
    form.holds({"when": "2026-02-02T14:30:15.250-05:00"})


def test_what_is_half_typed_is_not_folded_away(form: Form) -> None:
    """Not by the switch to JSON, nor by that back, nor by closing the part."""
    form.visitor.write('{"nums": [5]}')
    form.page.locator(".form-items input").fill("5e")
    held = form.page.get_by_text("Finish what is typed here first")
    form.button("nums as JSON").click()
    expect(held).to_be_visible()
    form.button("Parts of nums").click()
    expect(form.page.locator(".form-items input")).to_have_value("5e")
    form.page.locator(".form-items input").fill("6")
    expect(held).to_have_count(0)
    form.button("nums as JSON").click()
    form.box("nums").fill("[6, ")
    form.button("nums as JSON").click()
    expect(held).to_be_visible()
    expect(form.box("nums")).to_have_value("[6, ")
    form.box("nums").fill("[6, 7]")
    form.button("nums as JSON").click()
    expect(form.page.locator(".form-items input")).to_have_count(2)
