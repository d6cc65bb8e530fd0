"""Which JSON Schema dialect a schema is written in, and what is different there.

Source: the identifiers are those that each draft's meta-schema gives itself. A
tool's schema without ``$schema`` is 2020-12 (MCP 2025-11-25, "JSON Schema Usage").
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import jsonschema_rs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


_DRAFT_4, _DRAFT_7 = 4, 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One draft, as each library knows it.

    Attributes:
        name: ``"2020-12"``, ``"draft-07"``, …
        uri: The ``$schema`` that names it, without an empty fragment.
        number: As in ``4``, ``6``, ``7``, ``2019``, ``2020``: drafts compare by it.
        accepts_number: The compiled engine's own number for it.
        accepts: The compiled engine's validator class, which gives verdicts.
    """

    name: str
    uri: str
    number: int
    accepts_number: int
    accepts: type[jsonschema_rs.Validator]

    @property
    def id_keyword(self) -> str:
        """The keyword by which a subschema gives itself a URI."""
        return "id" if self.number == _DRAFT_4 else "$id"

    @property
    def ignores_siblings(self) -> bool:
        """Whether ``$ref`` hides what is beside it (draft-07 core section 8.3)."""
        return self.number <= _DRAFT_7


DIALECTS: tuple[Dialect, ...] = (
    Dialect(
        name="2020-12",
        uri="https://json-schema.org/draft/2020-12/schema",
        number=2020,
        accepts_number=jsonschema_rs.Draft202012,
        accepts=jsonschema_rs.Draft202012Validator,
    ),
    Dialect(
        name="2019-09",
        uri="https://json-schema.org/draft/2019-09/schema",
        number=2019,
        accepts_number=jsonschema_rs.Draft201909,
        accepts=jsonschema_rs.Draft201909Validator,
    ),
    Dialect(
        name="draft-07",
        uri="http://json-schema.org/draft-07/schema",
        number=7,
        accepts_number=jsonschema_rs.Draft7,
        accepts=jsonschema_rs.Draft7Validator,
    ),
    Dialect(
        name="draft-06",
        uri="http://json-schema.org/draft-06/schema",
        number=6,
        accepts_number=jsonschema_rs.Draft6,
        accepts=jsonschema_rs.Draft6Validator,
    ),
    Dialect(
        name="draft-04",
        uri="http://json-schema.org/draft-04/schema",
        number=4,
        accepts_number=jsonschema_rs.Draft4,
        accepts=jsonschema_rs.Draft4Validator,
    ),
)

DEFAULT_DIALECT = DIALECTS[0]
_BY_URI = {dialect.uri: dialect for dialect in DIALECTS}


def dialect_of(
    schema: object,
    default: Dialect = DEFAULT_DIALECT,
    meta_schemas: Mapping[str, object] = MappingProxyType({}),
) -> Dialect | None:
    """Name the dialect of a schema.

    Args:
        schema: Parsed JSON.
        default: What a schema without ``$schema`` is written in.
        meta_schemas: Meta-schemas of the caller's own, by their URI; a schema
            that names one has the dialect that the meta-schema is written in.

    Returns:
        ``None`` for a dialect that nobody here knows. An empty fragment at the
        end of ``$schema`` does not count.
    """
    if not isinstance(schema, dict) or "$schema" not in schema:
        return default
    uri = schema["$schema"]
    if not isinstance(uri, str):
        return None
    own = meta_schemas.get(uri)
    if own is not None and own is not schema:
        return dialect_of(own, default)
    return _BY_URI.get(uri.removesuffix("#"))


@lru_cache(maxsize=256)
def format_check(name: str, dialect: Dialect) -> Callable[[object], bool]:
    """Give the check of a format; unknown ones accept everything, as all do other types."""
    return dialect.accepts({"format": name}, validate_formats=True, offline=True).is_valid


@lru_cache(maxsize=256)
def is_checked(name: str, dialect: Dialect) -> bool:
    """Tell whether the engine checks a format at all: each draft has its own."""
    try:
        dialect.accepts(
            {"format": name}, validate_formats=True, offline=True, ignore_unknown_formats=False
        )
    except jsonschema_rs.ValidationError:
        return False
    return True
