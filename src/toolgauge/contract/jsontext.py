"""One strict JSON parser and one writer, for every route and transport.

Source: RFC 8259. Stricter than Python's ``json``: no NaN, no infinity, no byte
order mark, UTF-8 only, no lone surrogates, a bounded depth (decision V13).
Looser than ``orjson`` in one thing: integers past 64 bits and numbers past the
range of a double keep their value.
"""

from __future__ import annotations

import gc
import json
import math
import re
import sys
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import orjson

from toolgauge.contract.bounds import DEFAULT_BOUNDS
from toolgauge.contract.errors import InvalidJson

if TYPE_CHECKING:
    from collections.abc import Callable

    Convert = Callable[[object], object]

_LONG_RUN = b"0" * 19
"""2**63 has 19 digits: only a run this long can be an integer that orjson rounds."""
_LONG_INTEGER = b" " + _LONG_RUN
_BEFORE_NUMBER = b"[:,- \t\r\n"
_CLASSES = bytes(
    0x30 if byte in b"0123456789" else 0x20 if byte in _BEFORE_NUMBER else 0x78
    for byte in range(256)
)
"""Digits as ``0``, what may stand before a number as a space, the rest as ``x``."""

_SAMPLING = 6
_SAMPLED_RUN = b"0" * (len(_LONG_RUN) // _SAMPLING)
"""What every sixth byte shows of a long run, at least."""

_PARSED_CONTAINERS = frozenset({dict, list})

_SQUARE = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b'[]{}"')

_STRING_OR_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
"""Takes a string that never ends up to the end, or a search would begin anew at
each of its quotes."""
_MAX_EXPONENT = 10_000
"""Numbers past a double are kept exactly up to this power of ten."""

MAX_EXACT_DIGITS = 20_000
"""Most digits, in one document, of all numbers that no double holds, written without an
exponent. Two numbers of 10,000 digits take as long to compare as 100 kB of others."""

_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")

_WRITE = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_SUBCLASS


def parse_json(data: bytes | str, *, max_depth: int = DEFAULT_BOUNDS.max_instance_depth) -> Any:
    """Parse one JSON document, strictly.

    Args:
        data: The document; bytes must be UTF-8.
        max_depth: Deepest nesting of arrays and objects; a scalar has depth 0.

    Returns:
        Parsed JSON. An integer of any size is an ``int``; a number that no
        double holds is a ``Decimal``. Of duplicate keys the last one wins.

    Raises:
        InvalidJson: If the bytes are anything else than one JSON document
            within the bounds.

    Example:
        >>> parse_json(b'{"id": 12345678901234567890123}')
        {'id': 12345678901234567890123}
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if len(raw) >= len(_LONG_RUN) and _has_long_integer(raw):
        value = _parse_exactly(raw, max_depth)
    else:
        try:
            value = orjson.loads(raw)
        except orjson.JSONDecodeError as error:
            if "infinity" not in error.msg:
                raise InvalidJson(_place(error)) from None
            value = _parse_exactly(raw, max_depth)
    # Each level takes two brackets.
    if len(raw) > 2 * max_depth and _is_tree_deeper_than(value, max_depth):
        raise InvalidJson(f"nested deeper than {max_depth} levels")
    return value


def _has_long_integer(raw: bytes) -> bool:
    """Check for an integer of 19 digits; every sixth byte clears most documents of it."""
    if _SAMPLED_RUN not in raw[::_SAMPLING].translate(_CLASSES):
        return False
    classes = raw.translate(_CLASSES)
    return _LONG_INTEGER in classes or classes.startswith(_LONG_RUN)


def _is_tree_deeper_than(value: object, levels: int) -> bool:
    """Check the depth of a value that a parser built, row by row.

    It consists of plain containers and scalars, so what the garbage collector sees of it
    are the items and values alone, and no object is in two places.
    """
    row = [value]
    for _ in range(levels):
        row = gc.get_referents(*row)
        if not row:
            return False
    return any(type(each) in _PARSED_CONTAINERS for each in row)


def _may_nest_deeper(raw: bytes, levels: int) -> bool:
    """Check whether a document is too deep, far cheaper than by walking its value.

    Only brackets outside strings are kept, square and curly ones alike, and each
    pass takes the innermost pairs away: as many passes as there are levels.
    """
    if b"\\" in raw:
        raw = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    kept = raw.translate(_SQUARE, _NO_BRACKETS).replace(b'""', b"")
    brackets = b"".join(kept.split(b'"')[::2])
    for _ in range(levels):
        brackets = brackets.replace(b"[]", b"")
        if not brackets:
            return False
    return True


def dump_json(value: object, *, is_indented: bool = False, convert: Convert | None = None) -> bytes:
    """Write a value as UTF-8 JSON.

    Integers of any size and ``Decimal`` are written digit for digit, tuples as
    arrays, dates in ISO 8601.

    Args:
        value: What JSON can say.
        is_indented: Whether each member and item gets a line of its own, two
            spaces further in than what holds it; else it is compact.
        convert: Turns an object that JSON has no form for into one that it has;
            ``as_json_value`` by default.

    Raises:
        TypeError: If the value holds something that JSON has no form for.
    """
    option = _WRITE | (orjson.OPT_INDENT_2 if is_indented else 0)
    default = _write_other if convert is None else partial(_write_other, convert=convert)
    try:
        return orjson.dumps(value, default=default, option=option)
    except TypeError as error:
        if "64-bit" not in str(error):
            raise
        return orjson.dumps(_with_fragments(value), default=default, option=option)


def bounded_size(value: object, levels: int) -> int | None:
    """Return the size of a value, if it nests at most ``levels`` deep.

    Safe for a value of any depth: one that holds itself is deeper than anything.

    Returns:
        Bytes as compact JSON, which no value has fewer of than places; a huge
        number for a value that JSON has no form for; ``None`` for one that
        nests too deep.
    """
    try:
        # Writing the value and looking at its brackets is several times faster
        # than walking it in Python.
        raw = orjson.dumps(value)
    except TypeError:
        return None if _is_deeper_than(value, levels) else sys.maxsize
    return None if len(raw) > 2 * levels and nests_deeper(raw, value, levels) else len(raw)


def nests_deeper(raw: bytes, value: object, levels: int) -> bool:
    """Check whether a value nests more than ``levels`` deep, given its text too."""
    return (
        raw.count(b"[") + raw.count(b"{") > levels
        and _may_nest_deeper(raw, levels)
        and _is_deeper_than(value, levels)
    )


def is_deeper_than(value: object, levels: int) -> bool:
    """Check whether arrays and objects nest more than ``levels`` deep."""
    return bounded_size(value, levels) is None


def _is_deeper_than(value: object, levels: int) -> bool:
    """Walk the value level by level."""
    if not _is_container(value):
        return False
    row: list[Any] = [value]
    for _ in range(levels):
        below: list[Any] = []
        for container in row:
            children = container.values() if isinstance(container, dict) else container
            below += [
                child for child in children if type(child) not in _SCALARS and _is_container(child)
            ]
        if not below:
            return False
        if len(below) > _MANY_CONTAINERS:
            # Once each: a list that holds itself twice would double every level.
            below = list({id(each): each for each in below}.values())
        row = below
    return True


def is_larger_than(value: object, places: int) -> bool:
    """Check whether a value would have more members and items once it is written.

    An object or array in several places counts in each; each is looked at once.
    """
    if not isinstance(value, dict | list):
        return False
    known: dict[int, int] = {}
    stack: list[Any] = [value]
    while stack:
        here = stack[-1]
        if id(here) in known and known[id(here)]:
            stack.pop()
            continue
        children = here.values() if isinstance(here, dict) else here
        inner = [each for each in children if type(each) is dict or type(each) is list]
        if id(here) not in known:
            known[id(here)] = 0
            # One that is under way already holds itself: the writer refuses it.
            new = [each for each in inner if id(each) not in known]
            if new:
                stack += new
                continue
        total = known[id(here)] = 1 + len(children) + sum(known[id(each)] for each in inner)
        if total > places:
            return True
        stack.pop()
    return False


_MANY_CONTAINERS = 4096
_SCALARS = frozenset({str, int, float, bool, type(None)})


def _is_container(value: object) -> bool:
    """Check whether a value is a subclass of what JSON containers parse to."""
    return isinstance(value, dict | list | tuple)


def _place(error: orjson.JSONDecodeError) -> str:
    """Word a parse error with its place, and without the text around it."""
    return f"{error.msg.split(':')[0]} at line {error.lineno} column {error.colno}"


def _parse_exactly(raw: bytes, max_depth: int) -> Any:
    """Parse with the standard library, which keeps every digit of an integer."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidJson(f"not UTF-8 at byte {error.start}") from None
    if _is_text_deeper_than(text, max_depth):
        raise InvalidJson(f"nested deeper than {max_depth} levels")
    try:
        value = json.loads(text, parse_float=_ExactFloats(), parse_constant=_refuse_constant)
        if _ESCAPED_SURROGATE.search(raw) is not None:
            json.dumps(value, ensure_ascii=False, default=str).encode("utf-8")
    except json.JSONDecodeError as error:
        raise InvalidJson(f"{error.msg} at line {error.lineno} column {error.colno}") from None
    except UnicodeEncodeError:
        raise InvalidJson("a string holds a lone surrogate") from None
    except ValueError:
        # CPython refuses integers past sys.get_int_max_str_digits().
        raise InvalidJson("a number has too many digits") from None
    return value


class _ExactFloats:
    """Reads the numbers of one document: as doubles, or exactly where these are infinite."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MAX_EXACT_DIGITS

    def __call__(self, text: str) -> float | Decimal:
        number = float(text)
        if math.isfinite(number):
            return number
        try:
            exact = Decimal(text)
        except InvalidOperation:
            pass  # an exponent of 19 digits or more
        else:
            if abs(exact.adjusted()) <= _MAX_EXPONENT:
                self._left -= max(abs(exact.adjusted()), len(text))
                if self._left < 0:
                    words = f"its largest numbers have more than {MAX_EXACT_DIGITS} digits in all"
                    raise InvalidJson(words)
                return exact
        raise InvalidJson(f"a number is larger than 1e{_MAX_EXPONENT}")


def _refuse_constant(name: str) -> float:
    """Refuse the three constants that Python's parser takes beyond RFC 8259."""
    raise InvalidJson(f"{name} is not JSON")


def _is_text_deeper_than(text: str, levels: int) -> bool:
    """Check whether brackets nest too deep, before a recursive parser sees them."""
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        found = match.group()
        if found in "[{":
            depth += 1
            if depth > levels:
                return True
        elif found in "]}":
            depth -= 1
    return False


def as_json_value(value: object, *, exclude_none: bool = False) -> Any:
    """Turn what is no JSON value, but has an obvious form, into one.

    Models of pydantic 2 and 1, mappings, sequences, sets; anything else is given
    back as it is.

    Args:
        value: The value.
        exclude_none: Whether a model's fields that are null are left out. Those of
            the MCP libraries always are: there null is a member that is not there.
    """
    if isinstance(value, type):
        return value
    if callable(dump := getattr(value, "model_dump", None)):
        exclude_none = exclude_none or is_of_mcp(value)
        return _dumped(dump, exclude_none=exclude_none, by_alias=True, mode="json")
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, list | tuple | set | frozenset):
        return list(value)
    if callable(dump := getattr(value, "dict", None)):
        return _dumped(dump, exclude_none=exclude_none, by_alias=True)
    return value


def _dumped(dump: Callable[..., Any], *, exclude_none: bool, **more: object) -> Any:
    """Call ``model_dump`` or ``dict`` with as many of pydantic's arguments as it takes."""
    for options in ({"exclude_none": exclude_none, **more}, {"exclude_none": exclude_none}):
        try:
            return dump(**options)
        except TypeError:
            continue
    found = dump()
    return without_nulls(found) if exclude_none and isinstance(found, Mapping) else found


def without_nulls(members: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the members of an object that are null."""
    return {key: value for key, value in members.items() if value is not None}


def is_of_mcp(value: object) -> bool:
    """Check whether an object is of a class of the MCP SDK or of FastMCP, or a subclass."""
    cls: Any = type(value)
    return _is_of_mcp(cls)


@lru_cache(maxsize=1024)
def _is_of_mcp(cls: type) -> bool:
    return any(each.__module__.partition(".")[0] in _MCP_PACKAGES for each in cls.__mro__)


_MCP_PACKAGES = frozenset({"mcp", "mcp_types", "fastmcp"})


def _write_other(value: object, convert: Convert = as_json_value) -> object:
    """Write what orjson does not know but JSON can say."""
    if isinstance(value, Decimal) and value.is_finite():
        return orjson.Fragment(str(value))
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    found = convert(value)
    if type(found) is type(value):  # unchanged, or a mock's answer to whatever it is asked
        msg = f"{type(value).__name__} has no form in JSON"
        raise TypeError(msg)
    return found


def _with_fragments(value: Any) -> Any:
    """Replace the integers that orjson refuses by their own digits."""
    if isinstance(value, Mapping):
        return {key: _with_fragments(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_with_fragments(each) for each in value]
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 63:  # noqa: PLR2004 - orjson's own limit
        return orjson.Fragment(str(value))
    return value
