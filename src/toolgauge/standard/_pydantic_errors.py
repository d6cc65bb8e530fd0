"""What pydantic raises for a type that it cannot build, in one line."""

from __future__ import annotations

from typing import TypeAlias

from pydantic.errors import PydanticUserError
from pydantic_core import SchemaError

UNBUILT = (PydanticUserError, SchemaError)
"""Of a type that pydantic does not know, and of one that its core refuses, such as a
pattern that looks around."""

Unbuilt: TypeAlias = PydanticUserError | SchemaError


def reason_of(error: Unbuilt) -> str:
    """Give the reason without what pydantic puts around it."""
    if isinstance(error, SchemaError):
        # From the outermost type to the innermost, one below the other.
        return " ".join(str(error).rpartition("SchemaError: ")[2].split())
    return str(error.message).partition("\n")[0]
