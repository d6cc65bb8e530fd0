"""Runs a target's passes over one tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from toolgauge.contract import schema_issues, to_pointer
from toolgauge.lowering._addresses import references, repoint
from toolgauge.lowering._back import StepBack, ToolBack
from toolgauge.lowering._branches import iter_unions
from toolgauge.lowering._draft import MAX_NODES, Draft
from toolgauge.lowering._local import iter_paths
from toolgauge.lowering._lowered import StepForth, ToolForth
from toolgauge.lowering.errors import CannotLower

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.lowering._addresses import Held
    from toolgauge.lowering._registry import Step
    from toolgauge.lowering._report import Loss
    from toolgauge.rules import Definition

_MAX_SCHEMA_DEPTH = 60
"""Subschemas deeper than this are refused by the engine too."""


class Done(NamedTuple):
    """A tool as the last pass left it, what was lost, and the ways there and back."""

    tool: dict[str, Any]
    losses: tuple[Loss, ...]
    back: ToolBack
    forth: ToolForth


def run_passes(definition: Definition, steps: Sequence[Step]) -> Done:
    """Run the passes over one tool.

    Raises:
        CannotLower: If a pass gives the tool up.
    """
    draft = _draft(definition)
    own = draft.text()
    value_steps: list[tuple[StepBack, StepForth]] = []
    is_checked = False
    for step in steps:
        if not is_checked and not step.apply.repairs:
            _hold_valid(draft)
            is_checked = True
        if step.apply.triggers and draft.keywords.isdisjoint(step.apply.triggers):
            continue
        users = draft.having("$ref")
        for node in users:
            # Looked up before the pass and after it.
            draft.charge_reference(node["$ref"])
        held = references(draft.schema, users)
        if step.apply.restore is None:
            step.apply.lower(draft, step.options)
            repoint(draft.schema, held)
        else:
            value_steps += _with_marks(draft, step, held)
    tool: dict[str, Any] = {"name": draft.name}
    if draft.description is not None:
        tool["description"] = draft.description
    tool["inputSchema"] = draft.schema
    return Done(
        tool,
        tuple(draft.losses),
        ToolBack(draft.label, [back for back, _ in value_steps], own),
        ToolForth(draft.name, [forth for _, forth in value_steps]),
    )


def _draft(definition: Definition) -> Draft:
    schema = definition.schema
    if schema is True or schema is None or not definition.schema_keys:
        schema = {}
    if not isinstance(schema, dict):
        raise CannotLower(
            f"the input schema is {type(schema).__name__}, not an object",
            'write {"type": "object", "properties": {}} where there are no parameters',
        )
    if any(len(path) > 2 * _MAX_SCHEMA_DEPTH for _, path in iter_paths(schema)):
        raise CannotLower(
            f"the schema nests deeper than {_MAX_SCHEMA_DEPTH} levels", "flatten its objects"
        )
    if definition.is_cut:
        raise CannotLower(
            f"the schema has more than {MAX_NODES} subschemas",
            "split the tool, or take the large part as JSON text",
        )
    description = definition.description if isinstance(definition.description, str) else None
    return Draft(definition.name, description, schema)


def _hold_valid(draft: Draft) -> None:
    """Refuse what is no schema, with the smallest change."""
    issues = schema_issues(draft.schema)
    if issues:
        first = issues[0]
        draft.refuse(
            f"the schema is not valid at {first.pointer or '/'}: {first.message}",
            f"correct {first.pointer or 'the schema'}",
        )


def _with_marks(draft: Draft, step: Step, held: Sequence[Held]) -> list[tuple[StepBack, StepForth]]:
    """Run a pass that changes values, and note where."""
    before = {id(node): path for node, path in iter_paths(draft.schema)}
    text = draft.text()
    draft.marks = {}
    step.apply.lower(draft, step.options)
    repoint(draft.schema, held)
    if not draft.marks:
        return []
    after = {id(node): path for node, path in iter_paths(draft.schema)}
    marks, draft.marks = draft.marks, {}
    name = step.apply.name
    back = {to_pointer(after[key]): mark for key, mark in marks.items() if key in after}
    forth = {to_pointer(before[key]): mark for key, mark in marks.items() if key in before}
    left = draft.text()
    places = {
        to_pointer(after[id(branch)]): to_pointer(before[id(branch)])
        for node, _ in iter_paths(draft.schema)
        for union in iter_unions(node)
        for branch in union
        if id(branch) in before and id(branch) in after
    }
    return [(StepBack(name, left, back, text, places), StepForth(name, text, forth))]
