"""Where references lead: inside one document, without any library.

Documents with base URIs, anchors or references to other documents are for
``explain.library``, which costs an import that most programs never need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from toolgauge.contract.schema.document import SchemaDocument

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgauge.contract.schema.dialects import Dialect


class Unresolved(Exception):
    """A reference that the engine follows leads nowhere for us."""


class Scope(Protocol):
    """What references mean at one place of a schema.

    Attributes:
        steps: What following a reference costs, in keywords.
    """

    steps: int

    def enter(self, schema: dict[str, Any]) -> Scope:
        """Give the scope inside a subschema, which may have a base URI of its own."""

    def look_up(self, reference: str) -> tuple[Any, Scope]:
        """Give what a reference leads to, and the scope inside of it.

        Raises:
            Unresolved: If it leads nowhere.
        """

    def look_up_recursive(self) -> tuple[Any, Scope]:
        """Give what 2019-09's ``$recursiveRef`` leads to, and the scope inside of it."""


class OneDocument:
    """The scope of a schema whose references are all JSON Pointers into itself."""

    steps: int = 0

    def __init__(self, root: Any) -> None:
        self._document = SchemaDocument(root)

    def enter(self, schema: dict[str, Any]) -> Scope:  # noqa: ARG002 - it changes nothing here
        """Give the same scope: no subschema has a base URI."""
        return self

    def look_up(self, reference: str) -> tuple[Any, Scope]:
        """Follow a pointer.

        Raises:
            Unresolved: If it leads nowhere.
        """
        try:
            return self._document.point(reference), self
        except LookupError as error:
            raise Unresolved(reference) from error

    def look_up_recursive(self) -> tuple[Any, Scope]:
        """Give the root: without base URIs nothing else is an outermost schema."""
        return self._document.root, self


def scope_of(
    schema: Any, dialect: Dialect, resources: Mapping[str, Any], *, is_self_contained: bool
) -> Scope:
    """Give the scope at the root of a schema.

    Args:
        schema: The schema.
        dialect: Its dialect.
        resources: Other schemas that it may refer to, by URI.
        is_self_contained: Whether its references are all JSON Pointers into itself.
    """
    if is_self_contained:
        return OneDocument(schema)
    from toolgauge.contract.schema.explain.library import library_scope  # noqa: PLC0415

    return library_scope(schema, dialect, resources)
