"""Keywords that combine schemas, and references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolgauge.contract.issues import Issue
    from toolgauge.contract.schema.explain.walk import At, Walk

_TAGS = frozenset({"const", "enum"})


def ref(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Go on in the schema that is referred to."""
    schema, scope = at.scope.look_up(want)
    walk.descend(value, schema, at.path, scope, is_entered=True)


def recursive_ref(walk: Walk, want: Any, value: Any, at: At) -> None:  # noqa: ARG001 - it is always "#"
    """Go on at the outermost schema that calls itself a recursive anchor (2019-09)."""
    schema, scope = at.scope.look_up_recursive()
    walk.descend(value, schema, at.path, scope, is_entered=True)


def all_of(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note what is wrong by each branch."""
    for schema in want:
        walk.descend(value, schema, at.path, at.scope)


def any_of(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note one issue where no branch accepts, with the likeliest branch as its cause."""
    branches: list[list[Issue]] = []
    for schema in want:
        issues = walk.issues_of(value, schema, at.path, at.scope)
        if not issues:
            return
        branches.append(issues)
    words = f"{value!r} is not valid under any of the given schemas"
    walk.add(at.path, words, "anyOf", causes=likeliest(branches, at.path))


def one_of(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note one issue where no branch accepts, or more than one."""
    branches = [walk.issues_of(value, schema, at.path, at.scope) for schema in want]
    accepting = [schema for schema, issues in zip(want, branches, strict=True) if not issues]
    if not accepting:
        words = f"{value!r} is not valid under any of the given schemas"
        walk.add(at.path, words, "oneOf", causes=likeliest(branches, at.path))
    elif len(accepting) > 1:
        first, *more = accepting
        reprs = ", ".join(repr(schema) for schema in (*more, first))
        walk.add(at.path, f"{value!r} is valid under each of {reprs}", "oneOf")


def likeliest(branches: list[list[Issue]], path: tuple[str | int, ...]) -> tuple[Issue, ...]:
    """Pick the branch that the value most likely meant.

    A branch is out where the value has another type altogether, or where a tag
    (``const`` or ``enum`` of one of its members) says that it is another kind.
    Of those left, one stands out if there is only one, or if it alone has the
    fewest issues.
    """
    depth = len(path)

    def is_meant(issues: list[Issue]) -> bool:
        return not any(
            (each.keyword == "type" and len(each.path) == depth)
            or (each.keyword in _TAGS and len(each.path) <= depth + 1)
            for each in issues
        )

    meant = sorted(filter(is_meant, branches), key=len)
    if not meant or (len(meant) > 1 and len(meant[0]) == len(meant[1])):
        return ()
    return tuple(meant[0])


def not_(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note a value that the schema accepts."""
    if walk.is_valid(value, want, at.scope):
        walk.add(at.path, f"{value!r} should not be valid under {want!r}", "not")


def if_(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Go on in ``then`` or ``else``."""
    taken = "then" if walk.is_valid(value, want, at.scope) else "else"
    if taken in at.schema:
        walk.descend(value, at.schema[taken], at.path, at.scope)
