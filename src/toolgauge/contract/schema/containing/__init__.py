"""Does one schema admit all that another admits?

``containment`` asks; ``proofs`` and the engine's canonical forms say yes; ``probes``
and ``specimens`` look for a value that says no.
"""
