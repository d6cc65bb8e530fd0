"""Does one schema admit all that another admits?

``containment`` asks; ``proofs`` and the engine's canonical forms say yes; ``probes``
and ``specimens`` look for a value that says no.
"""

from __future__ import annotations

from toolgauge.contract.schema.containing.containment import Containment, contains

__all__ = ["Containment", "contains"]
