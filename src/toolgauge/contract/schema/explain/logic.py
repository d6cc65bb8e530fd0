"""Keywords that combine schemas, references, and what none of these looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from toolgauge.contract.schema.explain.objects import additional_finder
from toolgauge.contract.schema.explain.wording import OTHER_KIND, TAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from toolgauge.contract.pointers import Path
    from toolgauge.contract.schema.explain.glance import Test
    from toolgauge.contract.schema.explain.scopes import Scope
    from toolgauge.contract.schema.explain.walk import Check, Schema, Terms, Walk
    from toolgauge.contract.schema.explain.wording import Note, Writer


_NO_BRANCH = " is not valid under any of the given schemas"


def ref(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Go on in the schema that is referred to."""

    def check(walk: Walk, value: Any, path: Path) -> None:
        outer = walk.scope
        walk.steps -= outer.steps
        target, walk.scope = outer.look_up(want)
        terms.node(target).entered(walk, value, path)
        walk.scope = outer

    return check


def recursive_ref(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - it is always "#"
    """Go on at the outermost schema that calls itself a recursive anchor (2019-09)."""

    def check(walk: Walk, value: Any, path: Path) -> None:
        outer = walk.scope
        walk.steps -= outer.steps
        target, walk.scope = outer.look_up_recursive()
        terms.node(target).entered(walk, value, path)
        walk.scope = outer

    return check


def all_of(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note what is wrong by each branch."""
    nodes = tuple(map(terms.node, want))

    def check(walk: Walk, value: Any, path: Path) -> None:
        for node in nodes:
            node.check(walk, value, path)

    return check


def any_of(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a value that no branch accepts, with what each has against it."""
    tries = tuple(_try(branch, terms) for branch in want)

    def check(walk: Walk, value: Any, path: Path) -> None:
        branches: list[list[Note]] = []
        for tried in tries:
            notes = tried(walk, value, path)
            if not notes:
                return
            branches.append(notes)
        walk.note(path, "anyOf", value, _NO_BRANCH, branches)

    return check


def one_of(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a value that no branch accepts, or more than one."""
    tries = tuple(_try(branch, terms) for branch in want)

    def check(walk: Walk, value: Any, path: Path) -> None:
        branches = [tried(walk, value, path) for tried in tries]
        accepting = [branch for branch, notes in zip(want, branches, strict=True) if not notes]
        if not accepting:
            walk.note(path, "oneOf", value, _NO_BRANCH, branches)
        elif len(accepting) > 1:
            walk.note(path, "oneOf", (value, accepting), _several)

    return check


def _try(branch: Any, terms: Terms) -> Callable[[Walk, Any, Path], list[Note]]:
    """Give what collects the notes of one branch.

    A branch about another kind of object, by its tag, is never a cause. So that
    need not be walked.
    """
    node = terms.node(branch)
    tags = tuple(_tags(branch, terms))

    def notes(walk: Walk, value: Any, path: Path) -> list[Note]:
        if isinstance(value, dict):
            for name, is_known in tags:
                tag = value.get(name)
                if type(tag) is str and not is_known(tag):
                    return OTHER_KIND
        return walk.notes_of(node, value, path)

    return notes


def _tags(branch: Any, terms: Terms) -> Iterator[tuple[str, Test]]:
    """Find the members that say which kind of object a branch is about, by a text.

    Of a text, ``enum`` and ``const`` know at a glance both what is right and what is
    wrong.
    """
    if isinstance(branch, dict) and "properties" in terms.asserting(branch):
        for name, each in branch["properties"].items():
            keywords = terms.asserting(each) if isinstance(each, dict) else ()
            if len(TAGS.intersection(keywords)) == 1 and {"type", *TAGS}.issuperset(keywords):
                test = terms.node(each).glance.get(str)
                if test is not None:
                    yield name, test


def _several(writer: Writer, found: tuple[Any, list[Any]]) -> str:
    value, (first, *more) = found
    return f"{writer.quote(value)} is valid under each of {writer.names((*more, first))}"


def not_(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a value that the schema accepts."""
    node = terms.node(want)
    words = f" should not be valid under {terms.quoted(want)}"

    def check(walk: Walk, value: Any, path: Path) -> None:
        if not walk.notes_of(node, value):
            walk.note(path, "not", value, words)

    return check


def if_(want: Any, schema: dict[str, Any], terms: Terms) -> Check | None:
    """Go on in ``then`` or ``else``."""
    condition = terms.node(want)
    then, otherwise = (
        terms.node(schema[name]) if name in schema else None for name in ("then", "else")
    )
    if then is None and otherwise is None:
        return None

    def check(walk: Walk, value: Any, path: Path) -> None:
        taken = otherwise if walk.notes_of(condition, value) else then
        if taken is not None:
            taken.check(walk, value, path)

    return check


class _At(NamedTuple):
    """A subschema of the same value, and what references mean there."""

    schema: dict[str, Any]
    scope: Scope


def unevaluated_properties(want: Any, schema: dict[str, Any], terms: Terms) -> Check:
    """Note members that nothing else looked at and this schema refuses."""
    words = _unexpected if want is False else _invalid

    def check(walk: Walk, value: Any, path: Path) -> None:
        if not isinstance(value, dict):
            return
        look = _Look(walk, terms)
        at = _At(schema, walk.scope)
        seen = look.names(value, at, beside=True)
        left = [
            name
            for name, member in value.items()
            if name not in seen and not look.is_valid(member, want, at.scope)
        ]
        if left:
            walk.note(path, "unevaluatedProperties", left, words)

    return check


def _unexpected(writer: Writer, left: Sequence[str]) -> str:
    return f"Unevaluated properties are not allowed ({writer.listed(sorted(left))} unexpected)"


def _invalid(writer: Writer, left: Sequence[str]) -> str:
    return (
        "Unevaluated properties are not valid under the given schema "
        f"({writer.listed(left)} unevaluated and invalid)"
    )


def unevaluated_items(want: Any, schema: dict[str, Any], terms: Terms) -> Check:
    """Note items that nothing else looked at and this schema refuses."""

    def check(walk: Walk, value: Any, path: Path) -> None:
        if not isinstance(value, list | tuple):
            return
        look = _Look(walk, terms)
        at = _At(schema, walk.scope)
        seen = look.indices(value, at, beside=True)
        left = [
            item
            for index, item in enumerate(value)
            if index not in seen and not look.is_valid(item, want, at.scope)
        ]
        if left:
            walk.note(path, "unevaluatedItems", left, _items_unexpected)

    return check


def _items_unexpected(writer: Writer, left: Sequence[Any]) -> str:
    return f"Unevaluated items are not allowed ({writer.listed(left)} unexpected)"


class _Look(NamedTuple):
    """What a walk finds looked at, by reading the schema."""

    walk: Walk
    terms: Terms

    def is_valid(self, value: object, schema: Schema, scope: Scope) -> bool:
        """Tell whether a subschema accepts a value."""
        outer, self.walk.scope = self.walk.scope, scope
        notes = self.walk.notes_of(self.terms.node(schema), value)
        self.walk.scope = outer
        return not notes

    def names(self, value: dict[str, Any], at: _At, *, beside: bool = False) -> set[str]:
        """Collect the members that a schema looks at; ``beside`` leaves its own keyword out."""
        schema = at.schema
        self.walk.spend(len(schema))
        seen = {name for name in schema.get("properties", ()) if name in value}
        for pattern in schema.get("patternProperties", ()):
            seen.update(filter(self.terms.searcher(pattern), value))
        if "additionalProperties" in schema:
            seen.update(additional_finder(schema, self.terms)(self.walk, value))
        if "unevaluatedProperties" in schema and not beside:
            seen.update(value)
        for branch in self._branches(value, at):
            seen |= self.names(value, branch)
        return seen

    def indices(self, value: Any, at: _At, *, beside: bool = False) -> set[int]:
        """Collect the items that a schema looks at; ``beside`` leaves its own keyword out."""
        schema = at.schema
        self.walk.spend(len(schema))
        seen = set(range(len(schema.get("prefixItems", ()))))
        named = schema.get("items")
        if isinstance(named, list):
            seen.update(range(len(named)))
        if isinstance(named, dict | bool) or (
            isinstance(named, list) and "additionalItems" in schema
        ):
            seen.update(range(len(value)))
        if "unevaluatedItems" in schema and not beside:
            seen.update(range(len(value)))
        if "contains" in schema and self.terms.dialect.number >= 2020:  # noqa: PLR2004 - not in 2019-09
            seen.update(
                index
                for index, item in enumerate(value)
                if self.is_valid(item, schema["contains"], at.scope)
            )
        for branch in self._branches(value, at):
            seen |= self.indices(value, branch)
        return seen

    def _branches(self, value: Any, at: _At) -> Iterator[_At]:
        """Yield the subschemas that apply to the same value and say what they looked at.

        A branch that refuses the value says nothing. A reference has to accept it
        anyway: whatever is wrong there is an issue of its own, and no second one here.
        """
        schema, scope = at
        for target, there in _references(at):
            yield from _at(target, there)
        for name, each in schema.get("dependentSchemas", {}).items():
            if name in value:
                yield from _at(each, scope)
        for keyword in ("allOf", "anyOf", "oneOf"):
            for each in schema.get(keyword, ()):
                if self.is_valid(value, each, scope):
                    yield from _at(each, scope)
        if "if" in schema and self.is_valid(value, schema["if"], scope):
            yield from _at(schema["if"], scope)
            yield from _at(schema.get("then"), scope)
        elif "if" in schema:
            yield from _at(schema.get("else"), scope)


def _references(at: _At) -> Iterator[tuple[Any, Scope]]:
    """Yield what the schema refers to, with the scope to go on with there."""
    for keyword in ("$ref", "$dynamicRef"):
        if keyword in at.schema:
            yield at.scope.look_up(at.schema[keyword])
    if "$recursiveRef" in at.schema:
        yield at.scope.look_up_recursive()


def _at(schema: Any, scope: Scope) -> Iterator[_At]:
    """Go to a subschema of the same value; booleans look at nothing."""
    if isinstance(schema, dict):
        yield _At(schema, scope)
