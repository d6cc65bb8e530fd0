"""Takes the tools of other frameworks as they are."""

from __future__ import annotations


def adopt(source: object) -> object:
    """Give a framework's tool as one of ours, and anything else as it is."""
    from toolgauge.standard import frameworks  # noqa: PLC0415 - most tools need none of it

    return frameworks.adopt(source)
