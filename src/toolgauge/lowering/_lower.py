"""Runs a target's passes over each tool, and holds the result against the target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import InvalidJson, Tool, dump_json, parse_json
from toolgauge.contract.extent import MAX_DEFINITION_BYTES, is_larger_than
from toolgauge.lowering._lowered import Lowered
from toolgauge.lowering._registry import steps_of
from toolgauge.lowering._report import Refusal
from toolgauge.lowering._running import Done, run_passes
from toolgauge.lowering._wire import to_wire
from toolgauge.lowering.errors import CannotLower
from toolgauge.rules import Definition, NotTools, Target, check, select

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MAX_DEPTH = 254


def lower(tools: Iterable[object], target: str | Target) -> Lowered:
    """Make tools acceptable to a target, and keep what is needed to map calls back.

    Each tool is lowered alone: limits on the whole list (how many tools, how many
    optional parameters over all) are left to ``check``.

    Args:
        tools: ``Tool`` objects, or definitions as parsed JSON in the shape of
            MCP, OpenAI, Anthropic, Gemini or Bedrock. They are not changed.
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
        label = f"#{index}"
        try:
            definition = _definition(given, index)
            label = definition.label
            one = run_passes(definition, steps)
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
    raw = given.to_detail() if isinstance(given, Tool) else given
    if is_larger_than(raw):
        raise CannotLower(
            f"the definition takes more than {MAX_DEFINITION_BYTES} bytes of memory",
            "shorten its lists and texts, or split the tool",
        )
    try:
        raw = parse_json(dump_json(raw), max_depth=_MAX_DEPTH)
    except (InvalidJson, TypeError, ValueError, RecursionError) as error:
        raise CannotLower(f"the definition is no JSON: {error}", "write it as JSON") from error
    if not isinstance(raw, dict):
        raise CannotLower("the definition is no object", "give it name and inputSchema")
    definition = Definition(raw, index)
    if not isinstance(definition.name, str) or not definition.name:
        raise CannotLower("the tool has no name that is text", "give it a name")
    return definition


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
