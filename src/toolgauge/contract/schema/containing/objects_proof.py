"""Proof rules for keywords that hold subschemas for members and items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Prover(Protocol):
    """What proves a pair of subschemas that apply to a member."""

    @property
    def is_alike(self) -> Callable[[Any, Any], bool]:
        """Tells whether the pair means the same."""

    def below(self, big: Any, small: Any) -> bool:
        """Tell whether the pair is proven."""


def _properties(proof: Prover, big: dict[str, Any], small: dict[str, Any]) -> bool:
    """A property that ``small`` does not name has whatever value it lets others have."""
    named = small.get("properties", {})
    # Which patterns a name matches is the engine's to say: without patterns the
    # rest is known, with them only what is named.
    rest = True if small.get("patternProperties") else small.get("additionalProperties", True)
    return all(
        proof.below(schema, named.get(name, rest)) for name, schema in big["properties"].items()
    )


def _pattern_properties(proof: Prover, big: dict[str, Any], small: dict[str, Any]) -> bool:
    patterns = small.get("patternProperties", {})
    return all(
        proof.below(schema, patterns.get(pattern, True))
        for pattern, schema in big["patternProperties"].items()
    )


def _additional_properties(proof: Prover, big: dict[str, Any], small: dict[str, Any]) -> bool:
    """Whatever else ``small`` lets in must be let in by ``big`` under any name."""
    rest = big["additionalProperties"]
    named, patterns = big.get("properties", {}), big.get("patternProperties", {})
    others = [each for name, each in small.get("properties", {}).items() if name not in named]
    others += [
        each for name, each in small.get("patternProperties", {}).items() if name not in patterns
    ]
    # A name that only the bigger side knows is not asked of its rest.
    return all(
        proof.below(rest, each) for each in (*others, small.get("additionalProperties", True))
    )


def _property_names(proof: Prover, big: dict[str, Any], small: dict[str, Any]) -> bool:
    return proof.below(big["propertyNames"], small.get("propertyNames", True))


def _items(proof: Prover, big: dict[str, Any], small: dict[str, Any]) -> bool:
    one, other = big["items"], small.get("items", True)
    if isinstance(one, list) or isinstance(other, list):
        tuples = [{k: each.get(k) for k in ("items", "additionalItems")} for each in (big, small)]
        return proof.is_alike(*tuples)
    if len(big.get("prefixItems", ())) != len(small.get("prefixItems", ())):
        return False
    return proof.below(one, other)


def _prefix_items(proof: Prover, big: dict[str, Any], small: dict[str, Any]) -> bool:
    known, rest = small.get("prefixItems", []), small.get("items", True)
    if isinstance(rest, list):
        return False
    return all(
        proof.below(schema, known[index] if index < len(known) else rest)
        for index, schema in enumerate(big["prefixItems"])
    )


OBJECT_RULES: Final[Mapping[str, Callable[[Prover, dict[str, Any], dict[str, Any]], bool]]] = {
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "propertyNames": _property_names,
    "items": _items,
    "prefixItems": _prefix_items,
}
"""Each takes the proof, the bigger schema and the smaller one."""
