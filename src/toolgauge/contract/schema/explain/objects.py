"""Keywords that look at an object and its members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from toolgauge.contract.schema.explain.glance import never
from toolgauge.contract.schema.explain.wording import UNQUOTED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolgauge.contract.pointers import Path
    from toolgauge.contract.schema.explain.glance import Glance, Test
    from toolgauge.contract.schema.explain.walk import Check, Node, Schema, Terms, Walk
    from toolgauge.contract.schema.explain.wording import Writer

MEMBERS_PER_STEP = 64
"""Passing over this many members or items costs as much as one keyword."""

_CHECKS_PER_STEP = 8


def properties(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Look into the members that the schema names, in the schema's order."""
    nodes = [(name, terms.node(each)) for name, each in want.items()]
    members = tuple((name, node.glance, node) for name, node in nodes if node.can_refuse)
    steps = len(members) // MEMBERS_PER_STEP

    def check(walk: Walk, value: Any, path: Path) -> None:
        if not isinstance(value, dict):
            return
        walk.steps -= steps
        for name, glance, node in members:
            if name in value:
                member = value[name]
                test = glance.get(type(member), never)
                if test is not None and not test(member):
                    node.check(walk, member, (*path, name))

    return check


_EXTRAS = "additionalProperties"

FUSED = frozenset({"properties", "required", _EXTRAS})
"""What ``members_at_once`` holds an object against in one pass over its members."""


class _Member(NamedTuple):
    """What one pass knows of a member by its name.

    Attributes:
        kind: The class that values of the member most likely have.
        test: Whether one of that class is surely right; ``None`` where all are.
        glance: The same for every class; ``None`` where whatever there is is right.
    """

    kind: type | None
    test: Test | None
    glance: Glance | None


def _member_of(node: Node) -> _Member:
    if not node.can_refuse:
        return _Member(None, None, None)
    glance = node.glance
    # How objects are looked at changes when the first one is.
    kind = next((each for each in glance if each is not dict), None)
    return _Member(kind, glance[kind] if kind is not None else never, glance)


def members_at_once(
    schema: dict[str, Any], node_of: Callable[[Schema], Node], checks: Sequence[tuple[str, Check]]
) -> Check:
    """Pass over the members once, and ask only those checks that have something to note.

    Args:
        schema: A subschema with ``properties``, and without ``patternProperties``; where
            it has ``additionalProperties``, that is a boolean.
        node_of: Gives the node of a subschema.
        checks: The checks of the keywords in ``FUSED``, in the schema's order.
    """
    nodes = {name: node_of(each) for name, each in schema["properties"].items()}
    rank = {name: number for number, name in enumerate(nodes)}.__getitem__
    # A plain tuple is taken apart in half the time.
    known = {name: tuple(_member_of(node)) for name, node in nodes.items()}.get

    def note_wrong(walk: Walk, value: Any, path: Path, wrong: list[str]) -> None:
        for name in sorted(wrong, key=rank) if len(wrong) > 1 else wrong:
            nodes[name].check(walk, value[name], (*path, name))

    def note(walk: Walk, value: Any, path: Path, wrong: list[str], has: dict[str, bool]) -> None:
        for keyword, check in checks:
            if keyword == "properties":
                note_wrong(walk, value, path, wrong)
            elif has[keyword]:
                check(walk, value, path)

    has_all = frozenset(schema.get("required", ())).issubset
    return _one_pass(known, has_all, _EXTRAS in dict(checks), note_wrong, note)


def _one_pass(
    known: Callable[[str], Any],
    has_all: Callable[[Any], bool],
    is_closed: bool,  # noqa: FBT001
    note_wrong: Callable[[Walk, Any, Path, list[str]], None],
    note: Callable[[Walk, Any, Path, list[str], dict[str, bool]], None],
) -> Check:
    def check(walk: Walk, value: Any, path: Path) -> None:
        walk.steps -= len(value) // MEMBERS_PER_STEP
        wrong: list[str] = []
        has_more = False
        for name, member in value.items():
            found = known(name)
            if found is None:
                has_more = is_closed
                continue
            kind, test, glance = found
            if type(member) is not kind:
                if glance is None:
                    continue
                test = glance.get(type(member), never)
            if test is not None and not test(member):
                wrong.append(name)
        lacks = not has_all(value)
        if lacks or has_more:
            note(walk, value, path, wrong, {"required": lacks, _EXTRAS: has_more})
        else:
            note_wrong(walk, value, path, wrong)

    return check


def pattern_properties(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Look into the members whose names match a pattern."""
    searches = tuple((terms.searcher(each), terms.node(below)) for each, below in want.items())

    def check(walk: Walk, value: Any, path: Path) -> None:
        if not isinstance(value, dict):
            return
        walk.spend(len(searches) * len(value))
        for search, node in searches:
            for name, member in value.items():
                if search(name):
                    node.look(walk, member, (*path, name))

    return check


def additional_properties(want: Any, schema: dict[str, Any], terms: Terms) -> Check | None:
    """Look into the members that nothing else names, or note that there are any."""
    if want is True:
        return None
    find = additional_finder(schema, terms)
    if want is not False:
        return _additional_schema(want, find, terms)
    named = frozenset(schema.get("properties", ()))
    patterns = sorted(schema.get("patternProperties", ()))
    words = _unmatched(patterns) if "patternProperties" in schema else _not_allowed
    are_named = named.issuperset

    def check(walk: Walk, value: Any, path: Path) -> None:
        if isinstance(value, dict) and not are_named(value):
            extras = find(walk, value)
            if extras:
                walk.note(path, "additionalProperties", sorted(extras), words)

    return check


def _additional_schema(want: Any, find: Finder, terms: Terms) -> Check:
    node = terms.node(want)

    def check(walk: Walk, value: Any, path: Path) -> None:
        if isinstance(value, dict):
            for name in find(walk, value):
                node.look(walk, value[name], (*path, name))

    return check


def _not_allowed(writer: Writer, extras: Sequence[str]) -> str:
    return f"Additional properties are not allowed ({writer.listed(extras)} unexpected)"


def _unmatched(patterns: Sequence[str]) -> Callable[[Writer, Sequence[str]], str]:
    def words(writer: Writer, extras: Sequence[str]) -> str:
        verb = "does" if len(extras) == 1 else "do"
        names, known = writer.names(extras), writer.names(patterns)
        return f"{names} {verb} not match any of the regexes: {known}"

    return words


if TYPE_CHECKING:
    Finder = Callable[[Walk, dict[str, Any]], Sequence[str]]


def additional_finder(schema: dict[str, Any], terms: Terms) -> Finder:
    """Give what finds the members that neither ``properties`` nor ``patternProperties`` names."""
    named = frozenset(schema.get("properties", ()))
    searches = tuple(map(terms.searcher, schema.get("patternProperties", ())))

    def find(walk: Walk, value: dict[str, Any]) -> Sequence[str]:
        walk.spend(len(searches) * len(value) + len(value) // MEMBERS_PER_STEP)
        extras = [name for name in value if name not in named]
        if searches:
            extras = [name for name in extras if not any(search(name) for search in searches)]
        return extras

    return find


def property_names(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Hold each member's name against a schema; the place is the object."""
    node = terms.node(want)

    def check(walk: Walk, value: Any, path: Path) -> None:
        if isinstance(value, dict):
            for name in value:
                node.check(walk, name, path)

    return check


def required(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note each missing member, at the place where it should be (decision V1)."""
    members = tuple((name, f"{name!r} is a required property") for name in want)
    steps = len(members) // MEMBERS_PER_STEP

    def check(walk: Walk, value: Any, path: Path) -> None:
        if isinstance(value, dict):
            walk.steps -= steps
            for name, words in members:
                if name not in value:
                    walk.note((*path, name), "required", UNQUOTED, words)

    return check


def dependent_required(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note each member that another one asks for."""
    checks = tuple(_in_need("dependentRequired", name, needs) for name, needs in want.items())
    return _of_objects(checks)


def dependent_schemas(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Hold the object against the schema that a member asks for."""
    return _of_objects(tuple(_where_named(name, below, terms) for name, below in want.items()))


def dependencies(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Both of the above under one name, as drafts 4 to 7 write them."""
    return _of_objects(
        tuple(
            _in_need("dependencies", name, needs)
            if isinstance(needs, list)
            else _where_named(name, needs, terms)
            for name, needs in want.items()
        )
    )


def _of_objects(checks: tuple[Check, ...]) -> Check:
    steps = len(checks) // _CHECKS_PER_STEP

    def check(walk: Walk, value: Any, path: Path) -> None:
        if isinstance(value, dict):
            walk.steps -= steps
            for each in checks:
                each(walk, value, path)

    return check


def _in_need(keyword: str, name: str, needs: Sequence[str]) -> Check:
    """Note each member that is needed where one is there."""
    members = tuple((each, f"{each!r} is a dependency of {name!r}") for each in needs)
    steps = len(members) // MEMBERS_PER_STEP

    def check(walk: Walk, value: Any, path: Path) -> None:
        if name in value:
            walk.steps -= steps
            for each, words in members:
                if each not in value:
                    walk.note((*path, each), keyword, UNQUOTED, words)

    return check


def _where_named(name: str, schema: Any, terms: Terms) -> Check:
    """Hold the object against a schema where one member is there."""
    node = terms.node(schema)

    def check(walk: Walk, value: Any, path: Path) -> None:
        if name in value:
            node.check(walk, value, path)

    return check
