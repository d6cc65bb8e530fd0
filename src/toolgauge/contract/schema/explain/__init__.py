"""Why a value is refused, in the words of ``jsonschema``, with bounded work.

The compiled engine decides. What lies here finds words, so it may stop early, and a
mistake in it turns no verdict. One thing here decides by itself, for audits that only
count: ``Explainer.places_at_once``, of keywords that leave no two opinions.
"""

from __future__ import annotations

from toolgauge.contract.schema.explain.branches import Branches, TimedBranches
from toolgauge.contract.schema.explain.run import Explainer
from toolgauge.contract.schema.explain.scopes import scope_of

__all__ = ["Branches", "Explainer", "TimedBranches", "scope_of"]
