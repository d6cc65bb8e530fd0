"""Results of msgspec's structs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable


def dump_of(declared: Any) -> Callable[[Any], Any]:  # noqa: ARG001 - every module here is asked alike
    """Write results as msgspec does, under the names of the wire."""

    def dump(value: Any) -> Any:
        return msgspec.to_builtins(value, str_keys=True)

    return dump
