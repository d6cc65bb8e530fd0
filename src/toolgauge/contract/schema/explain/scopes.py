"""Where references lead while a value is walked.

Inside one document by JSON Pointer; with base URIs, anchors and other documents as the
``referencing`` library knows.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from toolgauge.contract.schema.document import SchemaDocument

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referencing import Specification
    from referencing._core import Resolver

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


class LibraryScope:
    """A scope with a base URI, anchors, and other schemas to refer to.

    Nothing is ever fetched: the registry holds what it was given.
    """

    __slots__ = ("_resolver", "_specification")

    steps: int = 16

    def __init__(self, resolver: Resolver[Any], specification: Specification[Any]) -> None:
        self._resolver = resolver
        self._specification = specification

    def enter(self, schema: dict[str, Any]) -> Scope:
        """Join the base URI of a subschema, where it gives itself one."""
        resource = self._specification.create_resource(schema)
        return LibraryScope(self._resolver.in_subresource(resource), self._specification)

    def look_up(self, reference: str) -> tuple[Any, Scope]:
        """Follow a reference.

        Raises:
            Unresolved: If it leads nowhere.
        """
        from referencing.exceptions import Unresolvable  # noqa: PLC0415 - as in ``scope_of``

        try:
            found = self._resolver.lookup(reference)
        except (Unresolvable, TypeError, AttributeError) as error:
            # The library also trips over booleans where it looks for ids.
            raise Unresolved(reference) from error
        return found.contents, LibraryScope(found.resolver, self._specification)

    def look_up_recursive(self) -> tuple[Any, Scope]:
        """Follow the dynamic scope to its outermost recursive anchor."""
        from referencing.jsonschema import lookup_recursive_ref  # noqa: PLC0415 - as in ``scope_of``

        found = lookup_recursive_ref(self._resolver)
        return found.contents, LibraryScope(found.resolver, self._specification)


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
    # An import that most programs never need.
    from jsonschema_specifications import REGISTRY  # noqa: PLC0415
    from referencing import Resource  # noqa: PLC0415
    from referencing.jsonschema import specification_with  # noqa: PLC0415

    specification = specification_with(dialect.uri)
    registry = REGISTRY.with_resources(
        (uri, Resource.from_contents(each, default_specification=specification))
        for uri, each in resources.items()
    )
    resource = specification.create_resource(schema)
    base = resource.id() or ""
    registry = registry.with_resource(base, resource)
    # Once for all look-ups: each would do it anew. The library trips over booleans here too.
    with suppress(TypeError, AttributeError):
        registry = registry.crawl()
    return LibraryScope(registry.resolver(base), specification)
