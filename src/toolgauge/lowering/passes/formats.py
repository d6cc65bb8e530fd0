"""Formats that the provider does not know, dropped and told in the description."""

from __future__ import annotations

from toolgauge.lowering._pass import Draft, Options, Pass


def lower(draft: Draft, options: Options) -> None:
    """Drop each ``format`` that is not listed, on the types that the target looks at."""
    for node in draft.having("format"):
        found = node["format"]
        kinds = node.get("type", ())
        named = {kinds} if isinstance(kinds, str) else set(kinds)
        if found in options["formats"]:
            continue
        if (
            options["types"]
            and not named & set(options["types"])
            and (named or not options["untyped"])
        ):
            continue
        del node["format"]
        draft.lose(node, f"format {found!r} is no longer enforced", "format")
        draft.tell(node, f"(format: {found})")


PASS = Pass(
    name="formats",
    since="0.1.0",
    lower=lower,
    options={"formats": (), "types": (), "untyped": False},
    triggers=("format",),
    loses="What the format forbids.",
)
