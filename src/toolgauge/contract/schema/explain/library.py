"""Where references lead when schemas have names: ``referencing`` knows."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from jsonschema_specifications import REGISTRY as SPECIFICATIONS
from referencing import Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import lookup_recursive_ref, specification_with

from toolgauge.contract.schema.explain.scopes import Unresolved

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referencing import Specification
    from referencing._core import Resolver

    from toolgauge.contract.schema.dialects import Dialect
    from toolgauge.contract.schema.explain.scopes import Scope


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
        try:
            found = self._resolver.lookup(reference)
        except (Unresolvable, TypeError, AttributeError) as error:
            # The library also trips over booleans where it looks for ids.
            raise Unresolved(reference) from error
        return found.contents, LibraryScope(found.resolver, self._specification)

    def look_up_recursive(self) -> tuple[Any, Scope]:
        """Follow the dynamic scope to its outermost recursive anchor."""
        found = lookup_recursive_ref(self._resolver)
        return found.contents, LibraryScope(found.resolver, self._specification)


def library_scope(schema: Any, dialect: Dialect, resources: Mapping[str, Any]) -> Scope:
    """Give the scope at the root of a schema."""
    specification = specification_with(dialect.uri)
    registry = SPECIFICATIONS.with_resources(
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
