"""Patterns that the provider cannot read, written plainer, or dropped and told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._plain_patterns import plain
from toolgauge.rules import Definition, rules

if TYPE_CHECKING:
    from toolgauge.rules import Finding


_MAX_CHARS = 200


def lower(draft: Draft, options: Options) -> None:
    """Ask the rules which patterns will not do; drop those that have no plainer form."""
    for node in draft.having("pattern"):
        pattern = node["pattern"]
        if _is_taken(pattern, options):
            continue
        plainer = plain(pattern)
        if plainer is not None and _is_taken(plainer, options):
            node["pattern"] = plainer
            continue
        draft.drop(node, "pattern")
        if len(pattern) <= _MAX_CHARS:
            draft.tell(node, f"(pattern: {pattern})")


def _is_taken(pattern: str, options: Options) -> bool:
    return next(_objections({"pattern": pattern}, options), None) is None


def _objections(schema: dict[str, Any], options: Options) -> Iterator[Finding]:
    definition = Definition({"name": "pattern", "inputSchema": schema}, is_plain=True)
    for name, limits in _asked(options):
        rule = rules()[name]
        if rule.check is not None:
            yield from rule.check(definition, {**rule.limits, **limits})


def _asked(options: Options) -> Iterator[tuple[str, dict[str, Any]]]:
    if options["forbidden"]:
        yield "unsupported-pattern-syntax", {"forbidden": options["forbidden"]}
    if options["max_quantifier"]:
        yield "large-quantifier", {"max": options["max_quantifier"]}
    if options["anchored"]:
        yield "unanchored-pattern", {}
    if options["escapes"]:
        yield "unsupported-pattern-escape", {}
    if options["python"]:
        yield "non-python-pattern", {}


PASS = Pass(
    name="patterns",
    since="0.1.0",
    lower=lower,
    options={
        "forbidden": (),
        "max_quantifier": 0,
        "anchored": False,
        "escapes": False,
        "python": False,
    },
    triggers=("pattern",),
    loses="What the pattern forbids.",
)
