"""One walk over a value that notes every fault within a budget.

The way through the schema is compiled: a ``Node`` for each subschema that a
walk came to, holding one closure for each of its keywords.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from toolgauge.contract.schema.explain.glance import FEW_ITEMS, KINDS, glance_of, looks_at, never
from toolgauge.contract.schema.explain.objects import FUSED, members_at_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract.bounds import Bounds
    from toolgauge.contract.pointers import Path
    from toolgauge.contract.schema.dialects import Dialect
    from toolgauge.contract.schema.explain.glance import Glance, Test
    from toolgauge.contract.schema.explain.scopes import Scope
    from toolgauge.contract.schema.explain.wording import Note, Words, Writer


Schema: TypeAlias = "dict[str, Any] | bool"

Check: TypeAlias = "Callable[[Walk, Any, Path], None]"
"""Notes what is wrong with a value: ``check(walk, value, path)``."""


class Keyword(Protocol):
    """Compiles one keyword of one subschema; ``None`` where it asserts nothing."""

    def __call__(self, want: Any, schema: dict[str, Any], terms: Terms, /) -> Check | None: ...  # noqa: D102


class Terms(Protocol):
    """What subschemas and their keywords are compiled with: all that is known of a schema."""

    dialect: Dialect
    bounds: Bounds

    def node(self, schema: Schema) -> Node:
        """Give the node of a subschema, the same one each time."""

    def asserting(self, schema: dict[str, Any]) -> list[str]:
        """Name the keywords of a subschema that can refuse a value."""

    def checks(self, schema: dict[str, Any]) -> list[tuple[str, Check]]:
        """Compile the keywords of a subschema, in its own order."""

    def engine(self, schema: Schema) -> Test | None:
        """Give the engine's check of a subschema, ``None`` where there is none."""

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


class Node:
    """One subschema.

    Attributes:
        schema: The subschema.
        can_refuse: Whether it holds any keyword that can refuse a value.
        glance: What is surely right, by class.
        check: Notes what is wrong with a value.
        entered: The same from behind a reference, where the base URI of the
            subschema is already the one that holds: it must not be joined twice.
    """

    __slots__ = ("_terms", "can_refuse", "check", "entered", "glance", "schema")

    def __init__(self, schema: Schema, terms: Terms) -> None:
        asserting = terms.asserting(schema) if isinstance(schema, dict) else ()
        self._terms = terms
        self.schema: Schema = schema
        self.can_refuse: bool = schema is False or bool(asserting)
        self.glance: Glance = (
            glance_of(
                schema,
                asserting,
                {dict: self._ask_first, list: self.ask_of_many},
                lambda each: terms.node(each).glance,
            )
            if isinstance(schema, dict) and asserting
            else {}
        )
        # Two threads may both compile a node; the closures are the same.
        self.check: Check = self._first_check
        self.entered: Check = self._first_entered

    def is_at_a_glance(self, value: Any) -> bool:
        """Tell whether a value is right, where that can be seen at a glance."""
        test = self.glance.get(type(value), never)
        return test is None or test(value)

    def look(self, walk: Walk, value: Any, path: Path) -> None:
        """Note what is wrong with a value that is likely to be right."""
        if not self.is_at_a_glance(value):
            self.check(walk, value, path)

    def look_aside(self, walk: Walk, value: Any, path: Path) -> None:
        """Do as ``look``; where that notes something, the engine may not agree."""
        noted = len(walk.notes)
        self.look(walk, value, path)
        if len(walk.notes) != noted:
            walk.is_sure = False

    def enter_aside(self, walk: Walk, value: Any, path: Path) -> None:
        """Do as ``entered`` at the root; where that notes something, the engine may not agree."""
        self.entered(walk, value, path)
        walk.is_sure = not walk.notes

    def engine(self) -> Test:
        """Give the engine's own check; one that knows of nothing where there is none."""
        return self._terms.engine(self.schema) or never

    def _ask_first(self, value: Any) -> bool:
        """Ask the engine about an object, and from now on directly."""
        ask = self.engine()
        if self.glance.get(dict) == self._ask_first:
            self.glance[dict] = ask
        return ask(value)

    def ask_of_many(self, value: Any) -> bool:
        """Ask the engine about an array that it knows sooner than a loop does."""
        return len(value) > FEW_ITEMS and self.engine()(value)

    def _first_check(self, walk: Walk, value: Any, path: Path) -> None:
        self._compile()
        self.check(walk, value, path)

    def _first_entered(self, walk: Walk, value: Any, path: Path) -> None:
        self._compile()
        self.entered(walk, value, path)

    def _compile(self) -> None:
        schema = self.schema
        if not isinstance(schema, dict):
            self.check = self.entered = _nothing if schema else _refuse
            return
        self.entered = entered = _in_turn(self._terms.checks(schema), schema, self._terms.node)
        has_id = "$id" in schema or "id" in schema
        self.check = _entering(schema, entered) if has_id else entered


def _nothing(walk: Walk, value: Any, path: Path) -> None:
    """Note nothing: the true schema, and one without keywords."""


def _refuse(walk: Walk, value: Any, path: Path) -> None:
    """Note that the false schema refuses whatever there is."""
    walk.note(path, None, value, _refused)


def _refused(writer: Writer, value: object) -> str:
    return f"False schema does not allow {writer.quote(value)}"


def _in_turn(
    checks: list[tuple[str, Check]], schema: dict[str, Any], node_of: Callable[[Schema], Node]
) -> Check:
    """Ask several checks, and pay for them; of a value only those that look at its class."""
    if not checks:
        return _nothing
    steps = len(checks)
    in_order = tuple(check for _, check in checks)
    by_kind: dict[type, tuple[Check, ...]] = {}

    def sorted_out(kind: type) -> tuple[Check, ...]:
        if kind not in KINDS:
            return in_order  # a class of somebody else's may be of any type
        looking = [(name, check) for name, check in checks if looks_at(kind, name, schema)]
        if kind is dict and _is_fusible(schema, {name for name, _ in looking}):
            looking = [("properties", members_at_once(schema, node_of, looking))]
        found = by_kind[kind] = tuple(check for _, check in looking)
        return found

    def check(walk: Walk, value: Any, path: Path) -> None:
        walk.steps -= steps
        if walk.steps < 0:
            raise Stopped
        kind = type(value)
        for each in by_kind[kind] if kind in by_kind else sorted_out(kind):
            each(walk, value, path)

    return check


def _is_fusible(schema: dict[str, Any], names: set[str]) -> bool:
    return (
        "properties" in names <= FUSED
        and "patternProperties" not in schema
        and isinstance(schema.get("additionalProperties", True), bool)
    )


def _entering(schema: dict[str, Any], entered: Check) -> Check:
    """Join the base URI of a subschema that gives itself one."""

    def check(walk: Walk, value: Any, path: Path) -> None:
        outer = walk.scope
        walk.steps -= outer.steps
        walk.scope = outer.enter(schema)
        entered(walk, value, path)
        walk.scope = outer

    return check
