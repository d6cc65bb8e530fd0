"""Explains one schema's rejects: the nodes that its subschemas are compiled to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract.issues import Issue
from toolgauge.contract.schema.explain.scopes import Unresolved
from toolgauge.contract.schema.explain.straight import MOST_KEYWORDS, straight_walk
from toolgauge.contract.schema.explain.tables import keywords_of
from toolgauge.contract.schema.explain.walk import Node, Stopped, Walk
from toolgauge.contract.schema.explain.wording import Writer, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolgauge.contract.bounds import Bounds
    from toolgauge.contract.issues import Places
    from toolgauge.contract.schema.dialects import Dialect
    from toolgauge.contract.schema.explain.branches import Branches, TimedBranches
    from toolgauge.contract.schema.explain.scopes import Scope
    from toolgauge.contract.schema.explain.straight import StraightWalk
    from toolgauge.contract.schema.explain.walk import Check, Schema

_SHORT_BYTES = 4_096
"""Up to here, a value as JSON, writing all of it costs less than stopping in time."""

_MANY = 256
"""Whoever asks so often about values of a schema will ask on. Walking so many takes as
long as writing a function for it, so that is never more than twice the best time."""

_STEPS_PER_BYTE = MOST_KEYWORDS // 2
"""What a straight walk may owe for a value: each but the last takes two bytes at least."""


class Explainer:
    """Finds words for the rejects of one schema. Safe to share between threads.

    Args:
        schema: The schema, known to be accepted by the engine.
        dialect: Its dialect.
        scope: What references mean at its root.
        branches: Asks the engine about its subschemas; ``None`` where it cannot.
        bounds: How many issues, how long a message.
        searcher: Gives a function that searches a text for a pattern.
        format_check: Gives the check of a format by its name; ``None`` with
            formats off.
    """

    def __init__(  # noqa: PLR0913 - one object per schema, and it needs all of it
        self,
        schema: Schema,
        *,
        dialect: Dialect,
        scope: Scope,
        branches: Branches | TimedBranches | None,
        bounds: Bounds,
        searcher: Callable[[str], Callable[[str], bool]],
        format_check: Callable[[str], Callable[[object], bool]] | None,
    ) -> None:
        self.dialect: Dialect = dialect
        self.bounds: Bounds = bounds
        self.searcher: Callable[[str], Callable[[str], bool]] = searcher
        self._format_check = format_check
        self._branches = branches
        self._scope = scope
        self._keywords = keywords_of(dialect, formats=format_check is not None)
        self._words = Writer(bounds, self.quoted)
        self._short_words = Writer(bounds, repr)
        self._nodes: dict[int, Node] = {}
        self._root = self.node(schema)
        self._asked = 0
        self._straight: StraightWalk | None = None

    def node(self, schema: Schema) -> Node:
        """Give the node of a subschema, the same one each time.

        Raises:
            Unresolved: If a reference led to what is no schema.
        """
        node = self._nodes.get(id(schema))
        if node is None:
            if not isinstance(schema, dict | bool):
                raise Unresolved(repr(type(schema)))
            # It keeps the schema, so that its id() stays its own.
            node = self._nodes[id(schema)] = Node(schema, self)
        return node

    def asserting(self, schema: dict[str, Any]) -> list[str]:
        """Name the keywords of a subschema that can refuse a value."""
        names: Iterable[str] = schema
        if "$ref" in schema and self.dialect.ignores_siblings:
            names = ("$ref",)
        return [name for name in names if name in self._keywords]

    def checks(self, schema: dict[str, Any]) -> list[tuple[str, Check]]:
        """Compile the keywords of a subschema, in its own order."""
        made = (
            (name, self._keywords[name](schema[name], schema, self))
            for name in self.asserting(schema)
        )
        return [(name, check) for name, check in made if check is not None]

    def engine(self, schema: Schema) -> Callable[[object], bool] | None:
        """Give the engine's check of a subschema, ``None`` where there is none."""
        return None if self._branches is None else self._branches.accepts(schema)

    def format_check(self, name: str) -> Callable[[object], bool] | None:
        """Give the check of a format, ``None`` where formats are not asserted."""
        return None if self._format_check is None else self._format_check(name)

    def quoted(self, part: object) -> str:
        """Write a part of the schema as ``repr`` does, as much as a message has room for."""
        return quoted(part, self.bounds.max_message_chars)

    def places(self, value: object, size: int) -> Places | None:
        """Give where ``explain`` finds something and by which keyword, without its words.

        Args:
            value: Parsed JSON that the schema refuses.
            size: Bytes of the value as JSON, or more.

        Returns:
            ``None`` where that is not known before the words are: ask ``explain``.
        """
        try:
            walk = self._straight_on(value, size)
            if walk is None:
                walk = Walk(self._scope, self.bounds.max_explained, self.bounds.max_issues)
                self._root.entered(walk, value, ())
                self._set_aside(walk)
        except (Stopped, Unresolved, RecursionError, ValueError):
            return None
        return _places(walk)

    def places_at_once(self, value: object, size: int) -> Places | None:
        """Give the same as ``places`` of any value, where that takes next to no time.

        Args:
            value: Parsed JSON.
            size: Bytes of the value as JSON, or more.

        Returns:
            Where there are some, the engine refuses the value too. ``None`` says nothing:
            ask it. For a schema that was not often asked about, nothing is known.
        """
        if self._straight is None:
            return None
        walk = self._straight_on(value, size)
        return None if walk is None or not walk.is_sure else _places(walk)

    def _straight_on(self, value: object, size: int) -> Walk | None:
        """Walk straight through the schema; ``None`` where that does not tell all."""
        straight = self._straight
        if straight is None:
            self._asked += 1
            if self._asked >= _MANY:
                self._straight = straight_walk(self._root.schema, self)
            return None
        # For what it asks itself, whether it will or not.
        left = self.bounds.max_explained - (size + 1) * _STEPS_PER_BYTE
        if left < 0:
            return None
        walk = Walk(self._scope, left, self.bounds.max_issues)
        try:
            straight(walk, value)
            self._set_aside(walk)
        except (Stopped, Unresolved, ValueError, RecursionError):
            return None
        walk.steps = self.bounds.max_explained
        return walk

    def _set_aside(self, walk: Walk) -> None:
        """Pay for the most that words may cost, which is nothing for most notes.

        Raises:
            Stopped: If the walk cannot pay.
        """
        for note in walk.notes:
            if note[4] is not None:
                walk.spend(self._words.most_steps(note))

    def explain(self, value: object, size: int) -> tuple[Issue, ...]:
        """Give every issue, in the order in which the schema asks for them.

        Args:
            value: Parsed JSON that the schema refuses.
            size: Bytes of the value as JSON, or more.

        Returns:
            Issues; where a bound stopped the walk, the last one is at the root
            and says so. Empty where the walk found nothing wrong,
            or could not say it.
        """
        bounds = self.bounds
        is_whole = True
        try:
            walk = self._straight_on(value, size)
            if walk is None:
                walk = Walk(self._scope, bounds.max_explained, bounds.max_issues)
                try:
                    self._root.entered(walk, value, ())
                except (Stopped, RecursionError):
                    is_whole = False
                    walk.steps = bounds.max_explained
            word = (self._short_words if size <= _SHORT_BYTES else self._words).issue
            issues: list[Issue] = []
            for note in walk.notes:
                issues.append(word(note, walk))  # noqa: PERF401 - those before a stop are kept
        except Stopped:
            is_whole = False
        except (Unresolved, RecursionError, ValueError):
            # CPython does not write integers past sys.get_int_max_str_digits().
            return ()
        if not is_whole:
            words = f"stopped after {len(issues)} errors: too much to list in full"
            issues.append(Issue(message=words))
        return tuple(issues)


def _places(walk: Walk) -> Places | None:
    return tuple([note[:2] for note in walk.notes]) or None
