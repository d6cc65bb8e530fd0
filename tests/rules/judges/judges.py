"""The judges: what others, who wrote code of their own, say of a tool.

They are imported by name: the type checker need not read their sources, and one
that has no wheel for this machine is skipped.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from tests.rules.judges import wheels

if TYPE_CHECKING:
    from toolgauge.contract import Path
    from toolgauge.rules import Finding

Tool: TypeAlias = Mapping[str, Any]

REVISION = "2026-07-28"
"""The revision of MCP that the wire model is asked for."""

REASONS = {
    "free-document": "the judge passes the schema on as a free document and reads none of it",
    "not-asked": "the judge does not ask this; the target's own service or specification does",
    "other-service": "the judge's model has a field that only another service takes",
    "kept-as-given": "the converter leaves this as it was given, and the target refuses it",
    "ignored-part": "the engine skips a look-ahead, and all that stands in it",
    "beyond-its-walk": "the converter does not walk there: oneOf, maps, lists of types",
}
"""Why a judge and we may differ; there is no other reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What a judge said of one tool.

    Attributes:
        tool: What we are asked about: the tool, or what a converter made of it.
        is_accepted: Whether the judge takes it. A converter takes its own work.
        fault: Why an engine refuses it, in its own words.
    """

    tool: Tool
    is_accepted: bool
    fault: str = ""


Ask: TypeAlias = Callable[[Tool], Heard | None]
"""Gives ``None`` for a tool about which the judge says nothing: it raised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """One judge and the target that it is held against.

    Attributes:
        name: Its distribution on PyPI.
        module: What to import to see whether it is there; ``""`` for one whose wheels
            are fetched (``wheels``).
        target: Our target.
        load: Imports it and gives the function that asks it.
        reason: Why it does not see a finding of ours: a key of ``REASONS``,
            ``""`` where it should have seen it.
    """

    name: str
    module: str
    target: str
    load: Callable[[], Ask]
    reason: Callable[[Tool, Finding], str] = lambda tool, finding: ""


def _spec(tool: Tool, key: str, value: object) -> dict[str, Any]:
    """Give name, description and the schema under a key of one's own."""
    shared = {each: tool[each] for each in ("name", "description") if each in tool}
    return {**shared, key: value}


# --- botocore -----------------------------------------------------------------


def _botocore() -> Ask:
    """Validate as the client does before it sends: ``Converse``'s ``toolConfig``."""
    data = (
        import_module("botocore.loaders")
        .Loader()
        .load_service_model("bedrock-runtime", "service-2")
    )
    operation = import_module("botocore.model").ServiceModel(data).operation_model("Converse")
    shape = operation.input_shape.members["toolConfig"]
    validator = import_module("botocore.validate").ParamValidator()

    def ask(tool: Tool) -> Heard:
        spec = _spec(tool, "inputSchema", {"json": tool["inputSchema"]})
        report = validator.validate({"tools": [{"toolSpec": spec}]}, shape)
        return Heard(tool=tool, is_accepted=not report.has_errors())

    return ask


def _botocore_reason(tool: Tool, finding: Finding) -> str:
    return "free-document" if finding.name == "non-object-root" else ""


# --- google-genai -------------------------------------------------------------


def google_errors(tool: Tool) -> list[Any] | None:
    """Give what the model of a function declaration says, ``None`` where it breaks.

    It raises ``AttributeError`` on a list of types.
    """
    model = import_module("google.genai.types").FunctionDeclaration
    invalid = import_module("pydantic").ValidationError
    try:
        model.model_validate(_spec(tool, "parameters", tool["inputSchema"]))
    except AttributeError:
        return None
    except invalid as error:
        found: list[Any] = error.errors()
        return found
    return []


def _google() -> Ask:
    """Validate with the SDK's model, which forbids fields that it does not have."""
    return lambda tool: Heard(tool=tool, is_accepted=google_errors(tool) == [])


def is_in_map(path: Path) -> bool:
    """Tell whether a place is an ``additionalProperties``, or below one."""
    names = {"properties", "$defs", "definitions", "patternProperties"}
    return any(
        step == "additionalProperties" and path[at - 1] not in names for at, step in enumerate(path)
    )


def _google_reason(tool: Tool, finding: Finding) -> str:
    if is_in_map(finding.path):
        return "other-service"
    asked = {"malformed-property-name", "misplaced-keyword", "untyped-schema"}
    return "not-asked" if finding.name in asked else ""


# --- llguidance ---------------------------------------------------------------


def _llguidance() -> Ask:
    """Compile the schema."""
    matcher = import_module("llguidance").LLMatcher

    def ask(tool: Tool) -> Heard:
        grammar = matcher.grammar_from_json_schema(json.dumps(tool["inputSchema"]))
        fault = matcher.validate_grammar(grammar)
        return Heard(tool=tool, is_accepted=not fault, fault=fault)

    return ask


# --- engines of which only a wheel is fetched ----------------------------------


def _fetched(*load: Callable[[], Callable[[Any], str]]) -> Callable[[], Ask]:
    """Ask one or several engines, in the order of the server."""

    def loaded() -> Ask:
        faults = [each() for each in load]

        def ask(tool: Tool) -> Heard:
            said = next(filter(None, (fault(tool["inputSchema"]) for fault in faults)), "")
            return Heard(tool=tool, is_accepted=not said, fault=said)

        return ask

    return loaded


def _vllm_reason(tool: Tool, finding: Finding) -> str:
    """What vLLM itself refuses, xgrammar takes."""
    asked = {
        "keyword-combination",
        "several-pattern-properties",
        "unsupported-format",
        "unsupported-keyword",
    }
    return "not-asked" if finding.name in asked else _xgrammar_reason(tool, finding)


def _xgrammar_reason(tool: Tool, finding: Finding) -> str:
    return "ignored-part" if finding.name == "unsupported-pattern-syntax" else ""


# --- the specifications' own models -------------------------------------------


def _mcp_types() -> Ask:
    """Validate with the SDK's model of a tool, and with that of the wire."""
    model = import_module("mcp_types").Tool
    wire = import_module("mcp_types.methods").validate_server_result
    invalid = import_module("pydantic").ValidationError

    def ask(tool: Tool) -> Heard:
        result = {"tools": [tool], "resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
        try:
            model.model_validate(tool)
            wire("tools/list", REVISION, result)
        except invalid:
            return Heard(tool=tool, is_accepted=False)
        return Heard(tool=tool, is_accepted=True)

    return ask


def _jsonschema() -> Ask:
    """Check the schema against the meta-schema that it names, 2020-12 without one."""
    validators = import_module("jsonschema.validators")
    known: dict[Any, Any] = {}

    def ask(tool: Tool) -> Heard:
        schema = tool["inputSchema"]
        dialect = validators.validator_for(schema, validators.Draft202012Validator)
        if dialect not in known:
            known[dialect] = dialect(dialect.META_SCHEMA)
        return Heard(tool=tool, is_accepted=known[dialect].is_valid(schema))

    return ask


def _jsonschema_reason(tool: Tool, finding: Finding) -> str:
    return "not-asked" if finding.name == "non-object-root" else ""


# --- converters ---------------------------------------------------------------


def _converted(convert: Callable[[Any], Any]) -> Ask:
    """Let a converter make a strict schema; it says nothing of one where it raises."""

    def ask(tool: Tool) -> Heard | None:
        try:
            schema = convert(copy.deepcopy(tool["inputSchema"]))
        except (AssertionError, LookupError, TypeError, ValueError):
            return None
        return Heard(tool={**tool, "inputSchema": schema}, is_accepted=True)

    return ask


def _openai() -> Ask:
    strict = import_module("openai.lib._pydantic")._ensure_strict_json_schema
    return _converted(lambda schema: strict(schema, path=(), root=schema))


def _openai_reason(tool: Tool, finding: Finding) -> str:
    """Explain what the converter leaves: it closes, requires and inlines, no more."""
    if not _openai_walks(finding.path[1:]):
        return "beyond-its-walk"
    kept = {
        "array-without-items",
        "non-object-root",
        "object-without-properties",
        "unsupported-format",
        "unsupported-keyword",
        "unsupported-pattern-syntax",
        "unsupported-reference-target",
    }
    if finding.name in kept:
        return "kept-as-given"
    if finding.name != "open-object":
        return ""
    node: Any = tool
    for step in finding.path:
        node = node[step]
    if "additionalProperties" in node:
        return "kept-as-given"
    # It closes what says `"type": "object"` and nothing else.
    return "beyond-its-walk" if node.get("type") != "object" else ""


def _openai_walks(path: Path) -> bool:
    """Tell whether the converter looks at a subschema: each of its steps, alone."""
    steps = list(path)
    while steps:
        step = steps.pop(0)
        if step in {"properties", "$defs", "definitions", "anyOf", "allOf"}:
            steps = steps[1:]
        elif step in {"oneOf", "additionalProperties", "not", "patternProperties"} and (
            steps or step == "additionalProperties"
        ):
            return False
    return True


def _anthropic() -> Ask:
    return _converted(import_module("anthropic").transform_schema)


def _anthropic_reason(tool: Tool, finding: Finding) -> str:
    """References are copied, wherever they lead."""
    return "kept-as-given" if finding.name == "recursive-reference" else ""


JUDGES = (
    Judge(
        name="anthropic",
        module="anthropic",
        target="anthropic-strict",
        load=_anthropic,
        reason=_anthropic_reason,
    ),
    Judge(
        name="botocore",
        module="botocore",
        target="bedrock-converse",
        load=_botocore,
        reason=_botocore_reason,
    ),
    Judge(
        name="google-genai",
        module="google.genai",
        target="gemini-parameters",
        load=_google,
        reason=_google_reason,
    ),
    Judge(
        name="jsonschema",
        module="jsonschema",
        target="mcp-spec",
        load=_jsonschema,
        reason=_jsonschema_reason,
    ),
    Judge(name="llguidance", module="llguidance", target="llguidance", load=_llguidance),
    Judge(name="mistral-common", module="", target="mistral", load=_fetched(wheels.mistral_common)),
    Judge(
        name="sglang with outlines",
        module="",
        target="sglang-outlines",
        load=_fetched(lambda: wheels.sglang("outlines")),
    ),
    Judge(
        name="sglang with xgrammar",
        module="",
        target="sglang-xgrammar",
        load=_fetched(lambda: wheels.sglang("xgrammar"), wheels.xgrammar),
        reason=_xgrammar_reason,
    ),
    Judge(
        name="xgrammar",
        module="",
        target="vllm-xgrammar",
        load=_fetched(wheels.xgrammar),
        reason=_vllm_reason,
    ),
    Judge(name="mcp-types", module="mcp_types", target="mcp-spec", load=_mcp_types),
    Judge(
        name="openai",
        module="openai",
        target="openai-strict",
        load=_openai,
        reason=_openai_reason,
    ),
)
