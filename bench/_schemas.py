"""Eight schemas of different kinds, each with a value it accepts and one it refuses.

In the words that all four libraries read alike (drafts 7 to 2020-12).
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from bench import _tools


class Case(NamedTuple):
    kind: str
    schema: dict[str, Any]
    valid: Any
    invalid: Any


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}


def _nested() -> Case:
    address = _object({"street": _TEXT, "city": _TEXT, "zip": _TEXT}, "street", "city")
    person = _object({"name": _TEXT, "age": _COUNT, "home": address}, "name", "home")
    schema = _object(
        {
            "event": _object({"title": _TEXT, "host": person, "place": address}, "title", "host"),
            "guests": {"type": "array", "items": person, "maxItems": 100},
        },
        "event",
    )

    def value(zip_code: object) -> dict[str, Any]:
        home = {"street": "Main Street 1", "city": "Springfield", "zip": "12345"}
        guests = [{"name": f"Guest {n}", "age": 20 + n, "home": home} for n in range(8)]
        host = {"name": "Ada", "age": 36, "home": {**home, "zip": zip_code}}
        return {"event": {"title": "Tea", "host": host, "place": home}, "guests": guests}

    return Case("nested objects", schema, value("54321"), value(54321))


def _numbers() -> Case:
    spread = random.Random(7)
    series = [round(spread.uniform(-100, 100), 4) for _ in range(2_000)]
    item = {"type": "number", "minimum": -1000, "maximum": 1000}
    schema = _object({"series": {"type": "array", "items": item, "minItems": 1}}, "series")
    wrong = [*series]
    wrong[1_000] = 1001
    return Case("2,000 numbers", schema, {"series": series}, {"series": wrong})


def _choices() -> Case:
    units = [f"unit_{number}" for number in range(60)]
    names = [f"option_{number}" for number in range(12)]
    schema = _object(
        {
            "kind": {"const": "report"},
            "version": {"enum": [1, 2, 3]},
            **{name: {"enum": units} for name in names},
        },
        "kind",
        "version",
    )
    chosen = {name: units[(7 * place) % 60] for place, name in enumerate(names)}
    valid = {"kind": "report", "version": 2, **chosen}
    return Case("enum and const", schema, valid, {**valid, "option_9": "unit_60"})


def _variants() -> Case:
    shapes = {
        "circle": {"radius": _COUNT},
        "square": {"side": _COUNT},
        "box": {"width": _COUNT, "height": _COUNT},
        "line": {"from": _COUNT, "to": _COUNT},
        "text": {"content": _TEXT},
        "group": {"members": {"type": "array", "items": _TEXT}},
    }
    branches = [
        _object({"type": {"const": name}, **members}, "type", *members)
        for name, members in shapes.items()
    ]
    schema = _object({"shapes": {"type": "array", "items": {"oneOf": branches}}}, "shapes")
    drawn = [
        {"type": "circle", "radius": 3},
        {"type": "box", "width": 3, "height": 4},
        {"type": "text", "content": "hello"},
        {"type": "group", "members": ["a", "b"]},
    ]
    wrong = [*drawn[:3], {"type": "group", "members": ["a", 1]}]
    return Case("discriminated oneOf", schema, {"shapes": drawn}, {"shapes": wrong})


def _patterns() -> Case:
    schema = _object(
        {
            "email": {"type": "string", "pattern": "^[^@ ]+@[^@ ]+[.][a-z]{2,}$"},
            "phone": {"type": "string", "pattern": "^[+][0-9]{6,14}$"},
            "day": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
            "slugs": {
                "type": "array",
                "items": {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"},
            },
            "labels": {
                "type": "object",
                "patternProperties": {"^x-[a-z]+$": _TEXT},
                "additionalProperties": False,
            },
        },
        "email",
    )
    valid = {
        "email": "ada@example.org",
        "phone": "+4930123456",
        "day": "2026-01-31",
        "slugs": ["one", "two-three", "four-5-six"],
        "labels": {"x-team": "a", "x-stage": "b"},
    }
    return Case("patterns", schema, valid, {**valid, "slugs": ["one", "two--three"]})


def _tree() -> Case:
    node = _object(
        {"label": _TEXT, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
        "label",
    )
    schema = {**_object({"root": {"$ref": "#/$defs/node"}}, "root"), "$defs": {"node": node}}

    def grown(depth: int, last: object) -> dict[str, Any]:
        if depth == 0:
            return {"label": last}
        return {"label": f"level {depth}", "children": [grown(depth - 1, last) for _ in range(3)]}

    wrong = grown(4, "leaf")
    wrong["children"][1]["children"][1]["children"][1]["label"] = None
    return Case("recursive $ref tree", schema, {"root": grown(4, "leaf")}, {"root": wrong})


def _many() -> Case:
    kinds: list[tuple[dict[str, Any], Any]] = [
        ({"type": "string", "maxLength": 200, "description": "A text."}, "some text"),
        ({"type": "integer", "minimum": 0, "maximum": 1000, "default": 10}, 25),
        ({"type": "boolean", "default": False}, True),
        ({"type": "string", "enum": ["asc", "desc", "none"]}, "asc"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}, None),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 50}, ["a", "b", "c"]),
    ]
    chosen = {f"parameter_{place}": kinds[place % len(kinds)] for place in range(48)}
    schema = _object({name: each for name, (each, _) in chosen.items()}, "parameter_0")
    valid = {name: value for name, (_, value) in chosen.items()}
    return Case("48 properties", schema, valid, {**valid, "parameter_25": "25"})


def cases() -> list[Case]:
    flat = Case(
        "flat arguments",
        _tools.SCHEMAS["small"],
        _tools.body("small", is_valid=True),
        _tools.body("small", is_valid=False),
    )
    return [
        flat,
        _nested(),
        _numbers(),
        _choices(),
        _variants(),
        _patterns(),
        _tree(),
        _many(),
    ]
