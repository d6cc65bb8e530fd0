"""Keywords that combine schemas, and references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.explain.wording import OTHER_KIND, TAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolgauge.contract.pointers import Path
    from toolgauge.contract.schema.explain.glance import Test
    from toolgauge.contract.schema.explain.walk import Check, Terms, Walk
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
