"""The parts of a schema contradict each other, so no value can be valid.

Why is this bad?
    Every call that needs the value is refused, or every result. The parts often stand
    apart, in ``allOf`` or behind a ``$ref``, and each looks right by itself.

Instead
    Let the parts agree. What shall never be there is said by ``false``, or by closing
    the object to it.

Sources
    JSON Schema core 2020-12 sections 7.6.1, 8.2.3.1 and 10.2.1.1: everything that stands
    beside ``$ref`` and in ``allOf`` applies together. A lower bound above the upper one
    beside it is reported as ``contradictory-bounds``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from toolgauge.contract.schema.document import REFERENCES
from toolgauge.contract.schema.equality import identity
from toolgauge.contract.schema.explain.scalars import is_number, is_type
from toolgauge.contract.schema.keywords import ALL_TYPES, ANNOTATIONS, TYPES_OF
from toolgauge.contract.schema.subschemas import SUBSCHEMAS
from toolgauge.rules._links import Link, links_of, walk
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Node, Rule

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_DEFINITIONS: Final = frozenset({"$defs", "definitions"})
_WHOLE: Final = frozenset({*REFERENCES, "allOf", "anyOf", "oneOf", "not", "if"})
"""Keywords that may say anything."""

_LISTS: Final = frozenset({"enum", "const"})
_ASSERTING: Final = _WHOLE | _LISTS | TYPES_OF.keys() | {"type"}
_AGAINST: Final = {
    "exclusiveMaximum": {"exclusiveMinimum"},
    "multipleOf": {"minimum", "exclusiveMinimum"},
    "uniqueItems": {"minItems"},
    "minContains": {"maxContains"},
    "contains": {"items", "maxItems"},
    "maxProperties": {"required"},
    "dependentRequired": {"required"},
    "dependentSchemas": {"required"},
    "dependencies": {"required"},
    "propertyNames": {"required", "minProperties"},
    "patternProperties": {"required", "minProperties"},
    "unevaluatedProperties": {"required", "minProperties"},
    "minProperties": {"additionalProperties"},
}
"""Keywords that may contradict others of the same schema."""

_BOUNDS: Final = (("exclusiveMinimum", "maximum"), ("minimum", "exclusiveMaximum"))
_TELLING: Final = tuple(
    sorted(_WHOLE | _LISTS | _AGAINST.keys() | {"required", "minItems", "exclusiveMinimum"})
)
"""A schema without any of these is plainly satisfiable."""

_UNASKED: Final = frozenset({"not", "if", "then", "else", "contains", "dependentSchemas"})
"""Keywords below which a schema that nothing satisfies can be what is meant."""


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each place of the input and the output schema that is proven to admit nothing.

    Of several that follow from each other only the innermost is reported.
    ``limits["max_work"]`` bounds the proofs for one schema, in microseconds; places past
    it are not looked at.
    """
    for each in tool.read(output=True):
        yield from _contradictions(each, limits["max_work"])


def _contradictions(tool: Definition, max_work: int) -> Findings:
    doubtful = _doubtful(tool)
    if not doubtful or tool.is_cut:
        return
    empty = {id(node) for node in _empty(tool, doubtful, max_work)}
    if not empty:
        return
    found = _innermost(tool, empty)
    for node in tool.nodes:
        if id(node) in found:
            yield Finding(
                message="no value can be valid: the parts of the schema contradict each other",
                path=node.path,
                fix="let the parts agree",
            )


def _doubtful(tool: Definition) -> list[Node]:
    """Give the places that are not plainly satisfiable by what stands there, innermost first."""
    looping: Collection[int] = ()
    if tool.having("$ref") and tool.root is not None:
        closing = walk(tool.nodes[:1], links_of(tool)).closing
        looping = {id(tool.follow(node.schema.get("$ref"))) for node in closing}
    found = [
        node
        for node in tool.having(*tool.present(_TELLING))
        if (not _is_plain(node) or id(node) in looping) and not _is_unasked(node)
    ]
    return sorted(found, key=lambda node: -node.depth)


def _is_unasked(node: Node) -> bool:
    """Tell whether a place is below a keyword that may mean to refuse everything."""
    here: Node | None = node
    while here is not None:
        if here.keyword in _UNASKED:
            return True
        here = here.parent
    return False


def _is_plain(node: Node) -> bool:
    """Tell whether a schema is satisfiable, or as far as that is its subschemas' to say."""
    schema = node.schema
    says = _ASSERTING.intersection(schema)
    if says & _WHOLE:
        is_alone = len(says) == 1 and len(node.branches("allOf")) <= 1
        return is_alone and not _repeats(node.branches("oneOf"))
    if says & _LISTS:
        return _lists_some(node, says)
    if any(not says.isdisjoint(_AGAINST[each]) for each in says & _AGAINST.keys()):
        return False
    if any(_is_tight(schema.get(low), schema.get(high)) for low, high in _BOUNDS):
        return False
    if "minItems" in says and _ends_early(schema):
        return False
    known = schema.get("properties")
    named = known if isinstance(known, dict) else {}
    is_closed = _is_never(schema.get("additionalProperties"))
    return not any(_is_never(named.get(name, not is_closed)) for name in node.required_names)


def _ends_early(schema: dict[str, Any]) -> bool:
    """Tell whether fewer items may be there than have to."""
    first = schema.get("prefixItems", schema.get("items"))
    if not isinstance(first, list):
        return _is_never(first)
    least = schema["minItems"]
    return any(map(_is_never, first)) or not is_number(least) or least > len(first)


def _is_tight(low: Any, high: Any) -> bool:
    return is_number(low) and is_number(high) and low >= high


def _repeats(branches: Sequence[Any]) -> bool:
    """Tell whether what fits one branch fits another that says the same."""
    told = [
        {key: value for key, value in each.items() if key not in ANNOTATIONS}
        if isinstance(each, dict)
        else each
        for each in branches
    ]
    return len(set(map(identity, told))) < len(told)


def _lists_some(node: Node, says: frozenset[str]) -> bool:
    """Tell whether a value of the type is listed, and nothing else is said."""
    listed = node.schema["enum"] if "enum" in says else [node.schema["const"]]
    if not isinstance(listed, list) or len(says) > len(_LISTS) or says >= _LISTS:
        return False
    if "type" not in says:
        return listed != [] and len(says) == 1
    names = ALL_TYPES.intersection(node.types)
    return any(is_type(value, name) for value in listed for name in names)


def _is_never(schema: Any) -> bool:
    return schema is False or (isinstance(schema, dict) and schema.get("not") in (True, {}))


def _empty(tool: Definition, doubtful: list[Node], max_work: int) -> Iterator[Node]:
    """Yield the places of which it is proven that they admit nothing."""
    from toolgauge.contract.schema.containing import contains  # noqa: PLC0415 - loads late
    from toolgauge.contract.schema.containing.budget import Budget  # noqa: PLC0415 - loads late

    budget = Budget(max_work)
    context = _context(tool)
    for node in doubtful:
        if not node.is_root and context is None:
            continue
        schema = node.schema if node.is_root else {**node.schema, **(context or {})}
        if contains(False, schema, budget=budget).answer == "yes":  # noqa: FBT003 - a schema
            yield node
        if budget.left <= 0:
            return


def _context(tool: Definition) -> dict[str, Any] | None:
    """Give what subschemas need from the root to stand alone, ``None`` where that asserts."""
    root = tool.nodes[0].schema
    named = [node for node in tool.having("$id", "id") if not node.is_root]
    if not isinstance(root, dict) or named or tool.having(*REFERENCES[1:]):
        return None
    found = {key: root[key] for key in ("$schema", "$id", "id") if key in root}
    for node in tool.having("$ref"):
        way = unquote(str(node.schema["$ref"])).split("/")
        held = way[1] if len(way) > 1 and way[0] == "#" else ""
        if held not in root or held in (SUBSCHEMAS | _ASSERTING) - _DEFINITIONS:
            return None
        found[held] = root[held]
    return found


def _innermost(tool: Definition, empty: set[int]) -> set[int]:
    """Leave out what nothing leads to, and places that need one that is empty itself."""
    root = tool.nodes[:1]
    links = walk(root, links_of(tool)).links
    following: set[int] = set()
    for link in reversed(links):  # what a place needs comes before it
        if _is_needed(link) and (id(link.target) in empty or id(link.target) in following):
            following.add(id(link.source))
    used = {id(node) for node in (*root, *(link.target for link in links))}
    return empty & used - following


def _is_needed(link: Link) -> bool:
    """Tell whether a place admits nothing where what it leads to admits nothing."""
    source, target, is_reference = link
    is_member = target.keyword == "properties" and target.name in source.required_names
    return is_reference or target.keyword == "allOf" or is_member


def _of(schema: dict[str, Any], *reports: str, **definitions: object) -> Example:
    return Example.of({"properties": {"p": schema}, "$defs": definitions}, *reports)


_TEXT = {"type": "string"}

RULE = Rule(
    code="TG327",
    name="unsatisfiable-schema",
    since="0.1.0",
    check=check,
    limits={"max_work": 100_000},
    examples=(
        _of({"allOf": [{"type": "integer", "minimum": 5}, {"maximum": 1}]}, "TG327"),
        _of({"$ref": "#/$defs/text", "type": "integer"}, "TG327", text=_TEXT),
        _of({"$ref": "#/$defs/text", "minLength": 1}, text=_TEXT),
        _of({"type": "string", "enum": [1, 2]}, "TG327"),
        _of({"type": "object", "required": ["a"], "additionalProperties": False}, "TG327"),
        Example(
            tool={
                "outputSchema": {"type": "object", "properties": {"a": False}, "required": ["a"]}
            },
            reports=("TG327",),
        ),
    ),
)
