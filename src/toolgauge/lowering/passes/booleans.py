"""Boolean subschemas: ``true`` becomes ``{}``, ``false`` what it means in its place.

What else refuses every value counts as ``false``: an ``enum`` of nothing, ``not: {}``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.lowering._never import write_booleans
from toolgauge.lowering._pass import Options, Pass

if TYPE_CHECKING:
    from toolgauge.lowering._draft import Draft


def lower(draft: Draft, options: Options) -> None:
    """Rewrite booleans, except where they are the usual form."""
    write_booleans(draft)


PASS = Pass(
    name="booleans",
    since="0.1.0",
    lower=lower,
    loses="That one member of an open object is forbidden.",
)
