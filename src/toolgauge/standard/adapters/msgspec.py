"""msgspec: structs, and every type that msgspec knows.

Values are decoded as the JSON that they were parsed from, strictly: ``"7"`` is no
number, ``7.0`` is the integer that JSON Schema says it is, a date is a text. msgspec
stops at the first thing that is wrong.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import msgspec.inspect

from toolgauge.contract import Failure, Success, dump_json
from toolgauge.standard._answers import decode_json, make_issue
from toolgauge.standard._documents import rewritten, with_root
from toolgauge.standard._keywords import published_pattern
from toolgauge.standard._protocol import Adapter
from toolgauge.standard.errors import Unconvertible

if TYPE_CHECKING:
    from toolgauge.contract import Path, Result, Validate
    from toolgauge.standard._protocol import Direction, Dump

VENDOR = "msgspec"

_REFERENCES = "#/$defs/{name}"
_AT = re.compile(r" - at (?:`key` in )?`\$(.*)`$", re.DOTALL)
_MISSING = re.compile(r"missing required field `(.*?)`(?: - at `|$)", re.DOTALL)


def _validate(obj: Any) -> Validate:
    """Decode a struct class, or any other type that msgspec knows."""
    try:
        decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(obj)
    except (TypeError, RuntimeError, NameError) as error:
        raise Unconvertible(VENDOR, (), str(error)) from error

    def validate(value: object) -> Result[Any]:
        try:
            text = dump_json(value)
            return Success(decode_json(decoder.decode, text, msgspec.ValidationError))
        except msgspec.ValidationError as error:
            message = str(error)
            return Failure((make_issue(_AT.sub("", message), path_of(message, value)),))
        except (TypeError, msgspec.DecodeError) as error:
            return Failure((make_issue(f"not a JSON value: {error}"),))

    return validate


def _schema(obj: Any, _: Direction) -> dict[str, Any]:
    try:
        (root,), parts = msgspec.json.schema_components([obj], ref_template=_REFERENCES)
    except TypeError as error:
        # The last line names the type; those before it are advice on msgspec's API.
        raise Unconvertible(VENDOR, _place(obj), str(error).splitlines()[-1]) from error
    schema: dict[str, Any] = rewritten(with_root(root, parts), _with_readable_pattern)
    return schema


def _dump(_: Any) -> Dump:
    """Write results as msgspec does, with the names of the encoded fields as keys."""
    return partial(msgspec.to_builtins, str_keys=True)


def path_of(words: str, value: object) -> Path:
    r"""Read the place that msgspec's message names.

    Keys of maps are written ``[...]`` there: the path ends before such a one.

    Example:
        >>> path_of("Expected `int`, got `str` - at `$.a.b[1]`", {"a.b": [0, ""]})
        ('a.b', 1)
    """
    found = _AT.search(words)
    rest, here, path = (found[1] if found else ""), value, list[str | int]()
    while rest:
        step = _step(rest, here)
        if step is None:
            break
        taken, key, here = step
        path.append(key)
        rest = rest[taken:]
    missing = _MISSING.search(words)
    return (*path, missing[1]) if missing and not rest else tuple(path)


def _step(rest: str, here: object) -> tuple[int, str | int, object] | None:
    """Take one step: its length in the text, its key, and what lies there."""
    index = re.match(r"\[(\d+)\]", rest)
    if index is not None and isinstance(here, list) and int(index[1]) < len(here):
        return index.end(), int(index[1]), here[int(index[1])]
    if not rest.startswith(".") or not isinstance(here, dict):
        return None
    # A name may hold dots and brackets of its own: the longest that is there.
    names = [each for each in here if isinstance(each, str) and _begins(rest, each)]
    if not names:
        return None
    name = max(names, key=len)
    return len(name) + 1, name, here[name]


def _begins(rest: str, name: str) -> bool:
    after = rest[len(name) + 1 :]
    return rest.startswith(f".{name}") and (not after or after[0] in ".[")


def _with_readable_pattern(schema: dict[str, Any]) -> dict[str, Any]:
    """Write a pattern as JSON Schema has it; leave it out where that cannot say it."""
    pattern = schema.get("pattern")
    if not isinstance(pattern, str):
        return schema
    try:
        written = published_pattern(pattern)
    except re.error:
        # Not Python's: `extra_json_schema` holds what its author wrote for JSON Schema.
        return schema
    rest = {key: each for key, each in schema.items() if key != "pattern"}
    return rest if written is None else {**rest, "pattern": written}


def _place(obj: Any) -> tuple[str, ...]:
    """Name the fields on the way to the type that msgspec does not know."""
    row: list[tuple[Any, tuple[str, ...]]] = [(msgspec.inspect.type_info(obj), ())]
    seen: set[Any] = set()
    while row:
        here, path = row.pop()
        if isinstance(here, msgspec.inspect.CustomType):
            return path
        cls = getattr(here, "cls", None)
        if cls is not None and cls in seen:
            continue
        seen.add(cls)
        row += [(each.type, (*path, each.name)) for each in getattr(here, "fields", ())]
        for name in ("type", "item_type", "key_type", "value_type"):
            row += [(getattr(here, name), path)] if hasattr(here, name) else []
        for name in ("types", "item_types"):
            row += [(each, path) for each in getattr(here, name, ())]
    return ()


ADAPTER = Adapter(vendor=VENDOR, validate=_validate, schema=_schema, dump=_dump)
