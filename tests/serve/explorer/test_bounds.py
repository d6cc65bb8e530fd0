"""Whatever a server's tools are, the page is there in about a second and stays usable."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.profile import IS_LONG
from tests.serve.explorer.desk import desk

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import CDPSession, Locator

    from tests.serve.explorer.conftest import Serve, Visit, Visitor

pytestmark = pytest.mark.browser

# Of the page's main thread. Measured: at most 0.9 s to open, 0.7 s for a step.
OPEN_S, STEP_S = 2.5, 2.5
COUNT = 3_000 if IS_LONG else 1_000
HEAP_BYTES = 300_000_000
EVIL = "^(a{1,20}){1,20}$"
LONG = "a" * 40 + "!"


def of(**properties: Any) -> dict[str, Any]:
    """Give a schema of an object with these properties."""
    return {"type": "object", "properties": properties}


def kinds(number: int) -> dict[str, Any]:
    """Give a union of objects, each with a member of its own."""
    return {
        "anyOf": [
            of(**{f"m{n}": {"type": "string"}}) | {"title": f"Kind {n}", "required": [f"m{n}"]}
            for n in range(number)
        ]
    }


def tagged(number: int) -> dict[str, Any]:
    """Give a union by reference, which a mapping tells apart."""
    refs = {f"k{n}": f"#/$defs/K{n}" for n in range(number)}
    union = {
        "oneOf": [{"$ref": each} for each in refs.values()],
        "discriminator": {"propertyName": "kind", "mapping": refs},
    }
    kind = of(kind={"type": "string"}, v={"type": "string"}) | {"required": ["kind"]}
    defs = {f"K{n}": kind for n in range(number)}
    return of(u=union) | {"required": ["u"], "$defs": defs}


def nested(levels: int) -> dict[str, Any]:
    """Give an object in an object in an object."""
    inner: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        inner = of(n=inner) | {"required": ["n"]}
    return inner


def doubling(keyword: str, levels: int, times: int = 2) -> dict[str, Any]:
    """Give definitions that each refer several times to the next."""
    defs: dict[str, Any] = {
        f"d{n}": {keyword: [{"$ref": f"#/$defs/d{n + 1}"}] * times} for n in range(levels)
    }
    defs[f"d{levels}"] = {"type": "string"}
    return of(a={"$ref": "#/$defs/d0"}) | {"$defs": defs}


ENUM = [f"value number {n}" for n in range(50_000)]
CONDITION = {"if": {"required": ["a"]}, "then": {"required": ["b"]}}
SCHEMAS: dict[str, dict[str, Any]] = {
    "a default": of(s={"type": "string", "pattern": EVIL, "default": LONG}),
    "an example": of(s={"type": "string", "pattern": "^(a?){25}a{25}$", "examples": ["a" * 24]}),
    "a union of patterns": of(
        s={"anyOf": [{"pattern": EVIL}, {"pattern": "^(a|a?)+$"}], "default": LONG}
    ),
    "names like a pattern": {
        "patternProperties": {EVIL: {"type": "string"}, r"^(\w+\s?){1,15}$": {}},
        "required": [LONG],
    },
    "thousands of patterns": {
        "patternProperties": {f"^a{n}": {"type": "string"} for n in range(5_000)},
        "required": [f"b{n}" for n in range(200)],
    },
    "a huge enum": of(e={"enum": ENUM}),
    "a huge enum with a default": of(e={"enum": ENUM, "default": ENUM[-1]}),
    "a list of a huge enum": of(e={"type": "array", "items": {"enum": ENUM}, "minItems": 9})
    | {"required": ["e"]},
    "constants": of(e={"oneOf": [{"const": n, "title": f"T{n}"} for n in range(20_000)]}),
    "branches": of(u=kinds(5_000)),
    "branches that are required": of(u=kinds(3_000)) | {"required": ["u"]},
    "branches with conditions": of(
        u={"anyOf": [{**each, **CONDITION} for each in kinds(1_000)["anyOf"]]}
    )
    | {"required": ["u"]},
    "tagged branches": tagged(3_000),
    "properties": of(**{f"p{n}": {"type": "string", "description": "d"} for n in range(8_000)}),
    "required properties": {
        "properties": {f"p{n}": {"type": "string"} for n in range(5_000)},
        "required": [f"p{n}" for n in range(5_000)],
    },
    "required names": {"required": [f"r{n}" for n in range(5_000)]},
    "offered names": {
        "additionalProperties": {"type": "string"},
        "propertyNames": {"enum": ENUM},
    },
    "parts of one": {"allOf": [of(**{f"p{n}": {"type": "string"}}) for n in range(4_000)]},
    "a long tuple": of(
        t={"type": "array", "prefixItems": [{"title": f"t{n}"} for n in range(4_000)]}
    ),
    "a deep object": nested(60),
    "a wide and deep object": of(
        **{
            f"p{n}": of(**{f"q{m}": {"type": "string"} for m in range(40)})
            | {"required": [f"q{m}" for m in range(40)]}
            for n in range(40)
        }
    )
    | {"required": [f"p{n}" for n in range(40)]},
    "doubling unions": doubling("anyOf", 30),
    "unions of unions": doubling("anyOf", 12, 20),
    "unions of parts of unions": of(u=kinds(500)) | {"anyOf": kinds(400)["anyOf"]},
    "a long default for many branches": of(
        u={"anyOf": [{"type": "string", "minLength": 2_000_000 + n} for n in range(3_000)]}
        | {"default": "z" * 1_000_000}
    )
    | {"required": ["u"]},
    "a wide default for many branches": of(
        u={"anyOf": [{"minProperties": 20_000, "title": f"T{n}"} for n in range(2_000)]}
        | {"default": {f"k{n}": n for n in range(10_000)}}
    )
    | {"required": ["u"]},
    "many issues of many branches": {
        "anyOf": [{"required": [f"r{n}" for n in range(1_000)]} for _ in range(300)],
        "required": [f"r{n}" for n in range(1_000)],
    },
    "doubling parts": doubling("allOf", 22),
    "conditions by name": of(a={"type": "string", "default": "x"})
    | {"dependentSchemas": {f"k{n}": {"required": ["a"]} for n in range(5_000)}},
    "anchors": of(**{f"p{n}": {"$ref": "#x"} for n in range(1_000)})
    | {"$defs": {f"d{n}": {"type": "string"} for n in range(3_000)} | {"z": {"$anchor": "x"}}},
    "long texts": of(
        s={
            "type": "string",
            "title": "t" * 1_000_000,
            "description": "lorem ipsum " * 200_000,
            "default": "z" * 1_000_000,
            "format": "f" * 100_000,
        }
    ),
    "a long text of short lines": of(s={"description": "x\n" * 500_000}),
    "a long name": of(**{"k" * 1_000_000: {"type": "string"}}),
    "long values": of(e={"enum": ["v" * 200_000 + str(n) for n in range(10)]}),
    "many examples": of(s={"type": "string", "examples": ENUM}),
    "many types": of(s={"type": ["string"] * 5_000 + ["null", "number"]}),
}


def tool(schema: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Give a tool with this schema."""
    return {"name": "t", "description": "d", "inputSchema": {"type": "object", **schema}, **members}


def click_first(found: Locator) -> None:
    """Click on the first that there is, if any."""
    if found.count() > 0:
        found.first.click()


class Meter:
    """The CPU time of a page's main thread, and its memory."""

    def __init__(self, visitor: Visitor) -> None:
        self.session: CDPSession = visitor.page.context.new_cdp_session(visitor.page)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.last = 0.0

    def read(self, name: str) -> float:
        """Read a metric of Chromium."""
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return next(float(each["value"]) for each in metrics if each["name"] == name)

    def seconds(self) -> float:
        """Give what was used since it was last asked."""
        now = self.read("TaskDuration")
        before, self.last = self.last, now
        return now - before


def opened(visit: Visit, serve: Serve, **given: Any) -> tuple[Visitor, Meter]:
    """Open a page on the only tool, and wait for its form."""
    visitor = visit(serve(desk([tool(**given)])))
    meter = Meter(visitor)
    visitor.page.evaluate("location.hash = '#/tools/t'")
    expect(visitor.page.get_by_role("form", name="Arguments as a form")).to_be_visible()
    return visitor, meter


# Patterns, rows, references, texts; long choices and many branches have tests of their own.
USUAL = ("a union of patterns", "properties", "doubling unions", "long texts")


@pytest.mark.parametrize("name", SCHEMAS if IS_LONG else USUAL)
def test_no_schema_keeps_the_page_waiting(serve: Serve, visit: Visit, name: str) -> None:
    """Neither when it opens nor where it is used: typed, completed, filled, looked through."""
    visitor, meter = opened(visit, serve, schema=SCHEMAS[name])
    page = visitor.page
    used = {"open": meter.seconds()}
    expect(visitor.status).not_to_have_text("Checking…")
    fill = page.get_by_role("group", name="Fill example")
    steps: dict[str, Callable[[], None]] = {
        "add": lambda: click_first(page.locator(".pane-form .form-add")),
        "required": lambda: fill.get_by_role("button", name="Required").click(),
        "all": lambda: fill.get_by_role("button", name="All").click(),
        "type": lambda: visitor.write('{"x": 1, "y": "' + LONG + '", "a": 2}'),
        "complete": lambda: page.keyboard.press("Control+Space"),
        "schema": lambda: (
            page.get_by_role("region", name="Input schema").get_by_role("tab", name="JSON").click()
        ),
    }
    for step, act in steps.items():
        act()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        used[step] = meter.seconds()
    expect(visitor.status).not_to_have_text("Checking…")

    assert '"x": 1' in visitor.written()
    assert used.pop("open") < OPEN_S
    assert max(used.values()) < STEP_S, used
    assert meter.read("JSHeapUsedSize") < HEAP_BYTES
    assert page.evaluate("document.querySelectorAll('*').length") < 30_000


def test_every_value_of_a_huge_enum_can_be_chosen(serve: Serve, visit: Visit) -> None:
    """By searching for it; the JSON takes any value, listed or not."""
    visitor, _ = opened(visit, serve, schema=of(e={"enum": ENUM}))
    page = visitor.page
    choice = page.get_by_role("combobox", name="e", exact=True)
    search = page.get_by_role("searchbox", name="Search the choices of e")
    assert choice.locator("option").count() < 300
    search.fill("number 49999")
    choice.select_option("value number 49999")
    visitor.has_verdict("Valid")
    assert {"e": "value number 49999"} == json.loads(visitor.written())
    search.fill("")
    expect(choice.locator("option:checked")).to_have_text("value number 49999")
    visitor.write('{"e": "value number 31234"}')
    visitor.has_verdict("Valid")
    expect(choice.locator("option:checked")).to_have_text("value number 31234")
    visitor.write('{"e": "none of them"}')
    visitor.has_verdict("1 problem")


def test_every_branch_of_a_huge_union_can_be_chosen(serve: Serve, visit: Visit) -> None:
    """By searching for its name, or by its value in the JSON."""
    visitor, _ = opened(visit, serve, schema=of(u=kinds(4_000)))
    page = visitor.page
    kind = page.get_by_role("combobox", name="Kind of u", exact=True)
    page.get_by_role("searchbox", name="Search the choices of u").fill("Kind 3921")
    kind.select_option("Kind 3921")
    page.get_by_role("textbox", name="m3921", exact=True).fill("here")
    visitor.has_verdict("Valid")
    assert {"u": {"m3921": "here"}} == json.loads(visitor.written())
    visitor.write('{"u": {"m3210": "there"}}')
    visitor.has_verdict("Valid")
    expect(kind.locator("option:checked")).to_have_text("Kind 3210")


def test_many_causes_and_losses_are_cut(serve: Serve, visit: Visit) -> None:
    """Why each of thousands of branches did not fit; what a target would lose."""
    visitor, meter = opened(visit, serve, schema=of(u=kinds(COUNT)) | {"required": ["u"]})
    meter.seconds()
    visitor.write('{"u": 5}')
    visitor.has_verdict("1 problem")
    visitor.page.evaluate("location.hash += '?view=targets&target=openai-strict'")
    visitor.page.get_by_role("tab", name="What it would take").click()
    assert meter.seconds() < STEP_S
    assert visitor.page.evaluate("document.querySelectorAll('*').length") < 30_000


def test_a_result_whose_base64_is_broken_behind_much_white_space_is_shown(
    serve: Serve, visit: Visit
) -> None:
    """It is looked through once."""
    visitor, meter = opened(visit, serve, schema={})
    part = {"type": "image", "mimeType": "image/png", "data": "A" + " " * 500_000 + "!"}
    body = json.dumps({"content": [part], "structuredContent": {"n": "0" * 10}})
    visitor.page.route("**/call", lambda route: route.fulfill(status=200, body=body))
    visitor.has_verdict("Valid")
    meter.seconds()
    visitor.execute.click()
    expect(visitor.result.get_by_text("Success")).to_be_visible()
    assert meter.seconds() < STEP_S
