"""One walk over a value that notes every fault within a budget.

The way through the schema is compiled: a ``Node`` for each subschema that a
walk came to, holding one closure for each of its keywords.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract.bounds import Bounds
    from toolgauge.contract.pointers import Path
    from toolgauge.contract.schema.dialects import Dialect
    from toolgauge.contract.schema.explain.nodes import Node
    from toolgauge.contract.schema.explain.scopes import Scope
    from toolgauge.contract.schema.explain.wording import Note, Words

Schema: TypeAlias = "dict[str, Any] | bool"

Check: TypeAlias = "Callable[[Walk, Any, Path], None]"
"""Notes what is wrong with a value: ``check(walk, value, path)``."""


class Keyword(Protocol):
    """Compiles one keyword of one subschema; ``None`` where it asserts nothing."""

    def __call__(self, want: Any, schema: dict[str, Any], terms: Terms, /) -> Check | None: ...  # noqa: D102


class Terms(Protocol):
    """What keywords are compiled with."""

    dialect: Dialect
    bounds: Bounds

    def node(self, schema: Schema) -> Node:
        """Give the node of a subschema, the same one each time."""

    def asserting(self, schema: dict[str, Any]) -> list[str]:
        """Name the keywords of a subschema that can refuse a value."""

    def searcher(self, pattern: str) -> Callable[[str], bool]:
        """Give a function that searches a text for a pattern."""

    def format_check(self, name: str) -> Callable[[object], bool] | None:
        """Give the check of a format, ``None`` where formats are not asserted."""

    def quoted(self, part: object) -> str:
        """Write a part of the schema as ``repr`` does, as much as a message has room for."""


class Stopped(Exception):
    """The walk has done as much as it may."""


class Walk:
    """The state of one walk: the notes so far, and what is left of the budget.

    Attributes:
        notes: What is wrong, in the schema's order.
        steps: What is left of the budget. Nodes pay for their keywords, and
            loops for what they pass over.
        scope: What references mean where the walk is.
        is_sure: Whether all notes are of keywords that leave no two opinions. Kept by
            ``straight`` alone.
    """

    __slots__ = ("_max_notes", "is_sure", "notes", "scope", "steps")

    def __init__(self, scope: Scope, steps: int, max_notes: int) -> None:
        self.notes: list[Note] = []
        self.steps: int = steps
        self.scope: Scope = scope
        self.is_sure: bool = True
        self._max_notes = max_notes

    def spend(self, steps: int) -> None:
        """Pay for work ahead.

        Raises:
            Stopped: If the budget does not cover it.
        """
        self.steps -= steps
        if self.steps < 0:
            raise Stopped

    def note(
        self, path: Path, keyword: str | None, value: Any, words: Words, more: Any = None
    ) -> None:
        """Note one fault of the value.

        Raises:
            Stopped: If there are as many as may be.
        """
        notes = self.notes
        if len(notes) >= self._max_notes:
            raise Stopped
        notes.append((path, keyword, value, words, more))

    def notes_of(self, node: Node, value: object, path: Path = ()) -> list[Note]:
        """Give the notes of one branch, without keeping them."""
        outer, self.notes = self.notes, []
        try:
            node.check(self, value, path)
            return self.notes
        finally:
            self.notes = outer
