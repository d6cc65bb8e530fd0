"""Why a value is refused, in the words of ``jsonschema``, with bounded work.

The compiled engine decides. What lies here only finds words, so it may stop
early, and a mistake in it can never turn a verdict.
"""

from __future__ import annotations

from toolgauge.contract.schema.explain.branches import Branches
from toolgauge.contract.schema.explain.run import Explainer
from toolgauge.contract.schema.explain.scopes import scope_of

__all__ = ["Branches", "Explainer", "scope_of"]
