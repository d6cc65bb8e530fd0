"""Runs a target's passes over each tool, and checks the result against the target's rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from toolgauge.contract import (
    InvalidJson,
    InvalidTool,
    dump_json,
    parse_json,
    schema_issues,
    to_pointer,
)
from toolgauge.contract.extent import MAX_DEFINITION_BYTES, is_larger_than
from toolgauge.contract.reading import as_definition, read_name, why_no_schema
from toolgauge.contract.schema.document import SchemaDocument
from toolgauge.contract.schema.subschemas import iter_subschemas
from toolgauge.lowering._branches import iter_unions
from toolgauge.lowering._draft import MAX_NODES, Draft
from toolgauge.lowering._lowered import Lowered, to_wire
from toolgauge.lowering._pass import Step, steps_of
from toolgauge.lowering._references import forget_gone, held_references, repoint, settle
from toolgauge.lowering._report import Loss, Refusal
from toolgauge.lowering._steps import StepBack, StepForth, ToolBack, ToolForth
from toolgauge.lowering.errors import CannotLower
from toolgauge.rules import Definition, NotTools, Target, check, select

_MAX_DEPTH = 254
_MAX_SCHEMA_DEPTH = 60
"""Subschemas deeper than this are refused by the engine too."""


class Done(NamedTuple):
    """A tool as the last pass left it, what was lost, and the ways there and back."""

    tool: dict[str, Any]
    losses: tuple[Loss, ...]
    back: ToolBack
    forth: ToolForth


def lower(tools: Iterable[object], target: str | Target) -> Lowered:
    """Make tools acceptable to a target, and keep what is needed to map calls back.

    Each tool is lowered alone: limits on the whole list (how many tools, how many
    optional parameters over all) are left to ``check``.

    Args:
        tools: ``Tool`` objects, objects with the attributes of one, or definitions as
            parsed JSON in the shape of MCP, OpenAI, Anthropic, Gemini or Bedrock. They are
            not changed.
        target: A target or its name.

    Returns:
        The tools that the target accepts, in order; the others are in
        ``refused``, each with its reason.

    Raises:
        UnknownTarget: If there is no such target.
        NoPasses: If the target names no passes.
        NotTools: If ``tools`` is no list.

    Example:
        >>> tool = {"name": "a/b", "inputSchema": {"properties": {"q": {"type": "string"}}}}
        >>> lowered = lower([tool], "openai-strict")
        >>> lowered.tools[0]["inputSchema"]["properties"]["q"]["type"]
        ['string', 'null']
        >>> lowered.restore(lowered.tools[0]["name"], {"q": None})
        ('a/b', {})
    """
    if isinstance(tools, str | bytes | dict) or not hasattr(tools, "__iter__"):
        raise NotTools(f"a {type(tools).__name__}")
    chosen = target if isinstance(target, Target) else _one(target)
    steps = steps_of(chosen)
    done: list[Done] = []
    refused: list[tuple[int, Refusal]] = []
    names: dict[str, str] = {}
    places: list[int] = []
    for index, given in enumerate(tools):
        label = read_name(given) or f"#{index}"
        try:
            definition = _definition(given, index)
            label = definition.label
            one = _run(definition, steps)
            _keep_apart(one, names)
        except CannotLower as error:
            refused.append((index, Refusal(tool=label, reason=error.reason, fix=error.fix)))
        else:
            done.append(one)
            places.append(index)
    return _held(chosen, done, places, refused)


def _one(name: str) -> Target:
    found = select([name])
    wanted = name.strip().lower().replace("_", "-")
    return next((each for each in found if each.name == wanted), found[0])


def _definition(given: object, index: int) -> Definition:
    _hold_small(given)
    raw = _as_json(given)
    if raw is not given:
        _hold_small(raw)
    try:
        raw = parse_json(dump_json(raw), max_depth=_MAX_DEPTH)
    except (InvalidJson, TypeError, ValueError, RecursionError) as error:
        raise CannotLower(f"the definition is no JSON: {error}", "write it as JSON") from error
    if not isinstance(raw, dict):
        raise CannotLower("the definition is no object", "give it name and inputSchema")
    definition = Definition(raw, index, is_plain=True)
    if not isinstance(definition.name, str) or not definition.name:
        raise CannotLower("the tool has no name that is text", "give it a name")
    return definition


def _hold_small(raw: object) -> None:
    if is_larger_than(raw):
        raise CannotLower(
            f"the definition takes more than {MAX_DEFINITION_BYTES} bytes of memory",
            "shorten its lists and texts, or split the tool",
        )


def _as_json(given: object) -> object:
    try:
        return as_definition(given)
    except InvalidTool as error:
        raise CannotLower(error.issues[0].message, "write it as JSON") from error


def _run(definition: Definition, steps: Sequence[Step]) -> Done:
    """Run the passes over one tool.

    Raises:
        CannotLower: If a pass gives the tool up.
    """
    draft = _draft(definition)
    own = draft.text()
    settle(draft)
    value_steps: list[tuple[StepBack, StepForth]] = []
    is_checked = False
    for step in steps:
        if not is_checked and not step.apply.repairs:
            _hold_valid(draft)
            is_checked = True
        if step.apply.triggers and draft.keywords.isdisjoint(step.apply.triggers):
            continue
        if step.apply.restore is None:
            held = held_references(draft)
            step.apply.lower(draft, step.options)
            repoint(draft, held)
        else:
            value_steps += _with_marks(draft, step)
    if "discriminator" in draft.keywords:
        forget_gone(draft)
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
        is_text = isinstance(schema, str)
        raise CannotLower(
            f"the input schema is {why_no_schema(schema) if is_text else type(schema).__name__}, "
            "not an object",
            'write {"type": "object", "properties": {}} where there are no parameters',
        )
    description = definition.description if isinstance(definition.description, str) else None
    draft = Draft(definition.name, description, schema)
    if any(len(path) > 2 * _MAX_SCHEMA_DEPTH for path in draft.iter_origins()):
        raise CannotLower(
            f"the schema nests deeper than {_MAX_SCHEMA_DEPTH} levels", "flatten its objects"
        )
    if definition.is_cut:
        raise CannotLower(
            f"the schema has more than {MAX_NODES} subschemas",
            "split the tool, or take the large part as JSON text",
        )
    return draft


def _hold_valid(draft: Draft) -> None:
    """Refuse what is no schema, with the smallest change."""
    issues = schema_issues(
        draft.schema, with_patterns=not draft.keywords.isdisjoint(("pattern", "patternProperties"))
    )
    if issues:
        first = issues[0]
        draft.refuse(
            f"the schema is not valid at {first.pointer or '/'}: {first.message}",
            f"correct {first.pointer or 'the schema'}",
        )


def _with_marks(draft: Draft, step: Step) -> list[tuple[StepBack, StepForth]]:
    """Run a pass that changes values, and note where."""
    before = SchemaDocument(draft.schema).paths
    text = draft.text()
    draft.marks = {}
    held = held_references(draft)
    step.apply.lower(draft, step.options)
    repoint(draft, held)
    if not draft.marks:
        return []
    after = SchemaDocument(draft.schema).paths
    marks, draft.marks = draft.marks, {}
    name = step.apply.name
    back = {to_pointer(after[key]): mark for key, mark in marks.items() if key in after}
    forth = {to_pointer(before[key]): mark for key, mark in marks.items() if key in before}
    branches = {
        id(branch)
        for node in iter_subschemas(draft.schema)
        for union in iter_unions(node)
        for branch in union
    }
    places = {
        to_pointer(path): to_pointer(before[key])
        for key, path in after.items()
        if key in branches and key in before
    }
    return [(StepBack(name, draft.text(), back, text, places), StepForth(name, text, forth))]


def _keep_apart(one: Done, names: dict[str, str]) -> None:
    """Refuse a tool that a call could not be told from another's."""
    name, own = one.tool["name"], one.back.name
    if name in names:
        raise CannotLower(
            f"the name {name!r} is taken by the tool {names[name]!r}", "rename one of the two"
        )
    names[name] = own


def _held(
    target: Target, done: Sequence[Done], places: Sequence[int], refused: list[tuple[int, Refusal]]
) -> Lowered:
    """Hold the result against the target's own rules: what still fails is refused."""
    report = check(to_wire([each.tool for each in done], target.name), [target.name])
    faults: dict[int, Refusal] = {}
    for finding in report.findings:
        if finding.severity == "error" and finding.index is not None:
            faults.setdefault(
                finding.index,
                Refusal(
                    tool=done[finding.index].back.name,
                    reason=f"{finding.rule} at {finding.pointer or '/'}: {finding.message}",
                    fix=finding.fix or "see the rule's page",
                ),
            )
    refused = [*refused, *((places[index], each) for index, each in faults.items())]
    kept = [each for index, each in enumerate(done) if index not in faults]
    return Lowered(
        target=target.name,
        tools=tuple(each.tool for each in kept),
        losses=tuple(loss for each in kept for loss in each.losses),
        refused=tuple(each for _, each in sorted(refused, key=lambda pair: pair[0])),
        back={each.tool["name"]: each.back for each in kept},
        forth={each.back.name: each.forth for each in kept},
    )
