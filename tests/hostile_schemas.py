"""Schemas that ask for more work than anyone waits for, and what running them costs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_CPU_S = 2.0
"""What ``docs/bounds.md`` states for one tool."""

MAX_MEMORY_MIB = 300

_RUN = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
from tests.hostile_schemas import SCHEMAS, tool_of
from tests.cost import peak_kib
from toolgauge.changes import compare
from toolgauge.lowering import lower
from toolgauge.rules import check
import toolgauge.contract.schema.engine

one = tool_of(SCHEMAS[sys.argv[3]]())
good = {"name": "good", "inputSchema": {"type": "object", "properties": {}}}
check([good]), lower([good], "openai-strict"), compare([good], [good])
start = time.process_time()
if sys.argv[2] == "check":
    alone = [f.to_json() for f in check([good]).findings if f.index == 0]
    found = [f.to_json() for f in check([one, good]).findings if f.index == 1]
    found = [f for f in found if {**f, "index": 0} not in alone]
elif sys.argv[2] == "lower":
    lowered = lower([one, good], "openai-strict")
    found = [each["name"] for each in lowered.tools]
else:
    schema = one["inputSchema"]
    other = {**one, "inputSchema": {**schema, "minProperties": 10**6}}
    renamed = {**good, "inputSchema": {"type": "object", "required": ["a"]}}
    found = [c.to_json() for c in compare([one, good], [other, renamed]).changes]
cpu = time.process_time() - start
memory = peak_kib() // 1024
print(json.dumps([cpu, memory, found]))
"""


def run(command: str, name: str) -> tuple[float, int, list[Any]]:
    """Run a command on one hostile tool and a good one, in a process of its own.

    Returns:
        Seconds of CPU, the most memory in MiB, and what it found: for ``check`` what it
        finds of the good tool only where the other one is beside it, names of tools for
        ``lower``, changes for ``diff``.
    """
    folder = str(Path(__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", _RUN, folder, command, name],
        capture_output=True,
        check=True,
        timeout=60,
    )
    cpu, memory, found = json.loads(done.stdout)
    return cpu, memory, found


def tool_of(schema: dict[str, Any]) -> dict[str, Any]:
    """Describe a tool with a schema for its arguments and for its results."""
    schema = {"type": "object", **schema}
    return {"name": "hostile", "inputSchema": schema, "outputSchema": schema}


def _patterns() -> dict[str, Any]:
    return {"properties": {f"p{i}": {"pattern": f"\\p{{L}}{{0,100}}{i}"} for i in range(2_000)}}


def _small_patterns() -> dict[str, Any]:
    return {"allOf": [{"pattern": f"a.*{i}z|^a"} for i in range(450)]}


def _unicode_keys() -> dict[str, Any]:
    return {"patternProperties": {f"^\\w{{1,{i}}}$": {"type": "string"} for i in range(1, 200)}}


def _many_key_patterns() -> dict[str, Any]:
    return {"patternProperties": {f"^a{i}.*x$": {"type": "string"} for i in range(1_500)}}


def _shared_parts() -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for index in range(60):
        more = {"properties": {"a": schema}, "allOf": [schema]}
        schema = more if index % 2 else {"additionalProperties": schema}
    return schema


def _shared_default() -> dict[str, Any]:
    value: list[Any] = [1]
    for _ in range(60):
        value = [value, value]
    return {"default": value}


def _holds_itself() -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"}
    schema["properties"] = {"a": schema}
    return schema


def _anchors() -> dict[str, Any]:
    return {
        "$defs": {f"d{i}": {"$anchor": f"a{i}"} for i in range(4_000)},
        "allOf": [{"$ref": f"#a{i}"} for i in range(4_000)],
    }


def _deep_references() -> dict[str, Any]:
    return {"allOf": [{"$ref": "#" + "/allOf/0" * 1_000}] * 1_000}


def _doubling_references() -> dict[str, Any]:
    chain: dict[str, Any] = {
        f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(24)
    }
    return {
        "$defs": {**chain, "d24": {"type": "string"}},
        "properties": {"a": {"$ref": "#/$defs/d0"}},
    }


def _required() -> dict[str, Any]:
    return {"properties": {"a": {}}, "required": [f"r{i}" for i in range(300_000)]}


def _needed_by_many() -> dict[str, Any]:
    names = [f"r{i}" for i in range(10_000)]
    return {"properties": {"x": {"type": "array", "items": {"dependentRequired": {"a": names}}}}}


def _merged_enums() -> dict[str, Any]:
    lists = [[f"v{i}" for i in range(start, start + 20_000)] for start in (0, 1)]
    return {"properties": {"a": {"allOf": [{"enum": each} for each in lists]}}}


def _merged_members() -> dict[str, Any]:
    return {"allOf": [{"properties": {f"p{i}": {"minimum": i}}} for i in range(4_000)]}


def _repeated_list_values() -> dict[str, Any]:
    return {"properties": {"a": {"enum": [1] * 100_000}}}


def _bad_names() -> dict[str, Any]:
    return {"description": "é" * 1_000_000, "properties": {f"é {i}": {} for i in range(5_000)}}


def _long_texts() -> dict[str, Any]:
    members = {f"p{i}": {"type": "string", "minLength": 90_000 + i} for i in range(500)}
    return {"properties": members, "required": list(members)}


def _tuple() -> dict[str, Any]:
    items = [{"type": "string", "minLength": i} for i in range(5_000)]
    return {"properties": {"a": {"type": "array", "prefixItems": items}}}


def _nested_list() -> dict[str, Any]:
    schema: dict[str, Any] = {"enum": [f"v{i}" for i in range(100_000)]}
    for _ in range(50):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def _long_description() -> dict[str, Any]:
    return {"description": "x" * 5_000_000}


def _many_alternatives() -> dict[str, Any]:
    return {"anyOf": [{"properties": {f"a{i}": {}}, "required": [f"a{i}"]} for i in range(4_000)]}


SCHEMAS: Mapping[str, Callable[[], dict[str, Any]]] = {
    each.__name__.strip("_"): each
    for each in (
        _anchors,
        _bad_names,
        _deep_references,
        _doubling_references,
        _holds_itself,
        _long_description,
        _long_texts,
        _many_alternatives,
        _many_key_patterns,
        _merged_enums,
        _merged_members,
        _needed_by_many,
        _nested_list,
        _patterns,
        _repeated_list_values,
        _required,
        _shared_default,
        _shared_parts,
        _small_patterns,
        _tuple,
        _unicode_keys,
    )
}
