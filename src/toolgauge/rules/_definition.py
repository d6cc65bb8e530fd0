"""One tool's definition, walked once for all rules.

A parameter may be called ``type``, ``items`` or ``$ref``; data below ``default``,
``const``, ``enum`` or ``examples`` may look like a schema. The walk follows
keywords that hold subschemas and nothing else, so no rule ever mistakes one for
the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import unquote

from toolgauge.contract import InvalidTool, from_pointer, pattern_issues, schema_issues
from toolgauge.contract.extent import is_larger_than
from toolgauge.contract.reading import as_definition, parse_schema
from toolgauge.contract.schema.document import SchemaDocument
from toolgauge.contract.schema.subschemas import iter_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolgauge.contract import Issue, Path

MAX_NODES = 10_000
MAX_DEPTH = 128
_MAX_HOPS = 32
"""A longer chain of references is a cycle, or nobody follows it."""

_SCHEMA_KEYS = ("inputSchema", "input_schema", "parameters", "parametersJsonSchema")
_OUTPUT_KEYS = ("outputSchema", "output_schema")
_WRAPPERS = ("function", "toolSpec")
_NO_NODES: tuple[Node, ...] = ()


class _Missing:
    """Stands for a member that is not there; ``None`` is one that is null."""

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING = _Missing()


class Node:
    """One subschema of a tool's input schema.

    Attributes:
        schema: The subschema; an object, except for a broken or boolean one.
        path: Where it lies in the tool's definition.
        parent: The subschema that holds it, ``None`` for the root.
        keyword: The keyword of the parent that holds it: ``"properties"``, …;
            ``""`` for the root, ``"$ref"`` for what only a reference leads to.
        name: The property's name, where a keyword holds it by name.
        depth: How many subschemas are above it.
        types: The types that it names, one or several; empty for none.
    """

    __slots__ = ("depth", "keyword", "name", "parent", "path", "schema", "types")

    def __init__(
        self, schema: Any, path: Path, parent: Node | None, keyword: str, name: str
    ) -> None:
        self.schema: Any = schema
        self.path: Path = path
        self.parent: Node | None = parent
        self.keyword: str = keyword
        self.name: str = name
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.types: tuple[str, ...] = _types(schema)

    @property
    def is_root(self) -> bool:
        """Whether this is the input schema itself."""
        return self.keyword == ""

    @property
    def is_object(self) -> bool:
        """Whether it describes objects: by ``type``, or by ``properties`` or ``required``."""
        types = self.types
        if types or not isinstance(self.schema, dict):
            return "object" in types
        return "properties" in self.schema or "required" in self.schema

    @property
    def is_array(self) -> bool:
        """Whether it describes arrays, alone or among other types."""
        return "array" in self.types

    @property
    def property_names(self) -> tuple[str, ...]:
        """The names of its properties, in order."""
        found = self.schema.get("properties") if isinstance(self.schema, dict) else None
        return tuple(found) if isinstance(found, dict) else ()

    @property
    def required_names(self) -> tuple[str, ...]:
        """The names that ``required`` lists, in order, duplicates included."""
        found = self.schema.get("required") if isinstance(self.schema, dict) else None
        return (
            tuple(each for each in found if isinstance(each, str))
            if isinstance(found, list)
            else ()
        )

    @property
    def optional_names(self) -> tuple[str, ...]:
        """The properties that are not required, in order."""
        required = set(self.required_names)
        return tuple(each for each in self.property_names if each not in required)

    def branches(self, keyword: str) -> Sequence[Any]:
        """Return the members of ``anyOf``, ``oneOf`` or ``allOf``."""
        found = self.schema.get(keyword) if isinstance(self.schema, dict) else None
        return found if isinstance(found, list) else ()

    def is_where(self, where: str) -> bool:
        """Whether it is the ``"root"``, ``"nested"``, or in either place (``"all"``)."""
        return where == "all" or self.is_root == (where == "root")

    def at(self, *steps: str | int) -> Path:
        """Give the path of something inside this subschema."""
        return (*self.path, *steps)


def _types(schema: Any) -> tuple[str, ...]:
    found = schema.get("type") if isinstance(schema, dict) else None
    if isinstance(found, str):
        return (found,)
    if isinstance(found, list):
        return tuple(each for each in found if isinstance(each, str))
    return ()


class Definition:
    """One tool's definition as it was given, and the one walk over its input schema.

    Args:
        raw: The definition as given.
        index: Its place in the list.
        prefix: What a client puts before the name.
        namespace: The namespace that holds it, ``""`` for none.
        is_plain: Whether ``raw`` is known to be parsed JSON of no more than the largest size.

    Attributes:
        given: The definition as given, of whatever type; an object of Python that
            describes a tool as parsed JSON.
        raw: The same, ``{}`` for what is no object.
        body: The object that holds name, description and schema: ``raw``, or what a
            wrapper holds.
        body_path: Where it lies.
        index: Its place in the list.
        namespace: The namespace that holds it in OpenAI's Responses API, ``""`` for none.
        prefix: What a client puts before the name.
        name: The tool's name; ``MISSING`` or of any type in a broken definition.
        name_path: Where the name lies.
        description: Its description, ``MISSING`` where there is none.
        description_path: Where it lies.
        schema: The input schema, ``MISSING`` where there is none; parsed where it is
            JSON text.
        schema_path: Where it lies, or should.
        document: The same, to look up references in.
        schema_keys: The keys under which a schema was given, one normally.
        nodes: Every subschema, the root first, parents before children.
        booleans: Those of them that are ``true`` or ``false``.
        is_cut: Whether the walk stopped at a bound.
        is_too_large: Whether the definition takes more memory than any may. Then only
            its name is here.
    """

    __slots__ = (
        "_by_keyword",
        "_by_keywords",
        "_node_of",
        "_output",
        "_pattern_issues",
        "_violations",
        "body",
        "body_path",
        "booleans",
        "description",
        "description_path",
        "document",
        "given",
        "index",
        "is_cut",
        "is_too_large",
        "name",
        "name_path",
        "namespace",
        "nodes",
        "prefix",
        "raw",
        "schema",
        "schema_keys",
        "schema_path",
    )
    _keys: ClassVar[Sequence[str]] = _SCHEMA_KEYS

    def __init__(
        self,
        raw: object,
        index: int = 0,
        prefix: str = "",
        *,
        namespace: str = "",
        is_plain: bool = False,
    ) -> None:
        self.is_too_large: bool = not is_plain and is_larger_than(raw)
        self.given: object = raw if is_plain or self.is_too_large else _as_json(raw)
        raw = _named(raw) if self.is_too_large else self.given
        self.raw: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
        self.index: int = index
        self.prefix: str = prefix
        self.namespace: str = namespace
        inside, way = _unwrapped(self.raw)
        self.body: Mapping[str, Any] = inside
        self.body_path: Path = way
        self.name: Any = inside.get("name", MISSING)
        self.name_path: Path = (*way, "name")
        self.description: Any = inside.get("description", MISSING)
        self.description_path: Path = (*way, "description")
        self.schema_keys: tuple[str, ...] = tuple(key for key in self._keys if key in inside)
        key = self.schema_keys[0] if self.schema_keys else self._keys[0]
        self.schema: Any = inside.get(key, MISSING)
        self.schema_path: Path = (*way, key)
        if "toolSpec" in way and isinstance(self.schema, Mapping) and "json" in self.schema:
            self.schema = self.schema["json"]
            self.schema_path = (*self.schema_path, "json")
        self.schema = parse_schema(self.schema)
        self.document: SchemaDocument = SchemaDocument(self.schema)
        self.is_cut: bool = self.is_too_large
        self.nodes: tuple[Node, ...] = self._walked()
        self._by_keyword: dict[str, list[Node]] = {}
        self._by_keywords: dict[tuple[str, ...], Sequence[Node]] = {}
        self._pattern_issues: Sequence[Issue] | None = None
        self._violations: dict[str, Sequence[Issue]] = {}
        self._node_of: dict[int, Node] = {}
        self._output: Definition | None = None
        self.booleans: list[Node] = []
        for node in self.nodes:
            if isinstance(node.schema, bool):
                self.booleans.append(node)
            elif isinstance(node.schema, dict):
                self._node_of[id(node.schema)] = node
                for keyword in node.schema:
                    self._by_keyword.setdefault(keyword, []).append(node)

    @property
    def output(self) -> Definition:
        """The same definition with its output schema in the place of the input schema."""
        if self._output is None:
            is_plain = not self.is_too_large
            self._output = _Output(self.given, self.index, self.prefix, is_plain=is_plain)
        return self._output

    def read(self, *, output: bool) -> tuple[Definition, ...]:
        """Give what a rule reads: the definition, with ``output`` its output schema too."""
        has_output = output and any(key in self.body for key in _OUTPUT_KEYS)
        return (self, self.output) if has_output else (self,)

    @property
    def label(self) -> str:
        """The tool's name, or its place where it has none; its namespace stands before it."""
        own = self.name if isinstance(self.name, str) else f"#{self.index}"
        return f"{self.namespace}.{own}" if self.namespace else own

    @property
    def full_name(self) -> str:
        """The name with what a client puts before it; ``""`` where it is no text."""
        return f"{self.prefix}{self.name}" if isinstance(self.name, str) else ""

    @property
    def root(self) -> Node | None:
        """The input schema itself, ``None`` where it is no object."""
        return self.nodes[0] if self.nodes and isinstance(self.nodes[0].schema, dict) else None

    @property
    def keywords(self) -> Iterable[str]:
        """Every keyword that any subschema has, once, in the order of the walk."""
        return self._by_keyword

    def present(self, keywords: Iterable[str]) -> list[str]:
        """Give those of some keywords that any subschema has."""
        return [keyword for keyword in keywords if keyword in self._by_keyword]

    def having(self, *keywords: str) -> Sequence[Node]:
        """Give the subschemas that have a keyword, or any of several."""
        if len(keywords) == 1:
            return self._by_keyword.get(keywords[0], _NO_NODES)
        if keywords not in self._by_keywords:
            found = {id(node): node for each in keywords for node in self.having(each)}
            self._by_keywords[keywords] = tuple(found.values())
        return self._by_keywords[keywords]

    def violations(self, dialect: str) -> Sequence[Issue]:
        """Give what is wrong with the input schema by a meta-schema, as ``schema_issues``."""
        root = self.root
        if dialect == "declared" and root is not None and "$schema" not in root.schema:
            dialect = "2020-12"
        if dialect not in self._violations:
            found = schema_issues(self.schema, dialect=dialect, with_patterns=False)
            self._violations[dialect] = (*found, *self.pattern_violations())
        return self._violations[dialect]

    def pattern_violations(self) -> Sequence[Issue]:
        """Give the patterns of the input schema that are no regular expressions."""
        if self._pattern_issues is None:
            has_some = self.is_cut or self.present(("pattern", "patternProperties"))
            self._pattern_issues = pattern_issues(self.schema) if has_some else ()
        return self._pattern_issues

    def follow(self, reference: object) -> Node | None:
        """Give the subschema that a local reference leads to, ``None`` for nowhere."""
        if reference == "#/":  # often written for the root
            reference = "#"
        return self._node_of.get(id(self.document.follow(reference)))

    def resolved(self, schema: Any) -> dict[str, Any]:
        """Follow references that stand where a type or properties could.

        Returns:
            The first schema that says more than ``$ref``; ``{}`` for what is no schema
            or leads nowhere.
        """
        for _ in range(_MAX_HOPS):
            if not isinstance(schema, dict):
                return {}
            if "$ref" not in schema or "type" in schema or "properties" in schema:
                return schema
            target = self.follow(schema["$ref"])
            schema = None if target is None else target.schema
        return {}

    def _walked(self) -> tuple[Node, ...]:
        """Walk the input schema, then what only references lead to."""
        if self.schema is MISSING:
            return ()
        nodes: list[Node] = []
        seen: set[int] = set()
        self._grow(Node(self.schema, self.schema_path, None, "", ""), nodes, seen)
        for node in nodes:  # it grows while we look
            if isinstance(node.schema, dict) and "$ref" in node.schema:
                self._add_target(node, nodes, seen)
        return tuple(nodes)

    def _grow(self, start: Node, nodes: list[Node], seen: set[int]) -> None:
        """Add a subschema and everything below it."""
        row = [start]
        while row:
            below: list[Node] = []
            for node in row:
                if len(nodes) >= MAX_NODES or node.depth > MAX_DEPTH:
                    self.is_cut = True
                    return
                nodes.append(node)
                if not isinstance(node.schema, dict):
                    continue
                seen.add(id(node.schema))
                below += [
                    Node(
                        place.schema,
                        node.path + place.path,
                        node,
                        str(place.path[0]),
                        str(place.path[1]) if isinstance(place.path[-1], str) else "",
                    )
                    if len(place.path) > 1
                    else Node(place.schema, node.path + place.path, node, str(place.path[0]), "")
                    for place in iter_places(node.schema)
                ]
            row = below

    def _add_target(self, node: Node, nodes: list[Node], seen: set[int]) -> None:
        """Add what a reference leads to, where no keyword holds it as a schema."""
        reference = node.schema["$ref"]
        target = self.document.follow(reference)
        if isinstance(target, dict) and id(target) not in seen:
            way = (*self.schema_path, *from_pointer(unquote(str(reference)[1:])))
            self._grow(Node(target, way, node, "$ref", ""), nodes, seen)


class _Output(Definition):
    """The same of the output schema."""

    __slots__ = ()
    _keys = _OUTPUT_KEYS


def _unwrapped(raw: Mapping[str, Any]) -> tuple[Mapping[str, Any], Path]:
    """Look inside the wrapper that some providers put around a tool."""
    for wrapper in _WRAPPERS:
        inside = raw.get(wrapper)
        if isinstance(inside, Mapping) and "name" not in raw:
            return inside, (wrapper,)
    return raw, ()


def _as_json(raw: object) -> object:
    """Read a tool of ours, or any object that describes one; what is none stays."""
    try:
        return as_definition(raw)
    except InvalidTool:
        return raw


def _named(raw: object) -> dict[str, Any]:
    """Keep the name of a definition, and nothing else."""
    inside, way = _unwrapped(raw) if isinstance(raw, Mapping) else ({}, ())
    found: dict[str, Any] = {"name": inside["name"]} if isinstance(inside.get("name"), str) else {}
    for wrapper in way:
        found = {str(wrapper): found}
    return found
