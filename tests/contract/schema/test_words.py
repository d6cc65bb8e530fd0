from __future__ import annotations

import json
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

from tests.contract.schema.official_suite import BY_NAME, Suite
from tests.contract.schema.reference_words import Departure, Reference
from tests.profile import IS_LONG
from tests.schema_values import (
    EVERY,
    TOOLLISTS,
    VALUES,
    corpus_schemas,
    damage,
    made_value,
    schemas_of,
)
from toolgauge.contract import CompiledSchema, Issue, compile_schema, to_pointer
from toolgauge.contract.schema.dialects import DEFAULT_DIALECT, DIALECTS, Dialect

CALLS = Path(__file__).parents[4] / "shared" / "corpus" / "calls"

EXPECTED: dict[Departure, set[str]] = {
    Departure.FALSE_SCHEMA: {
        "items.json",
        "patternProperties.json",
        "prefixItems.json",
        "properties.json",
        "vocabulary.json",
    },
    Departure.PATTERN: {"optional/ecmascript-regex.json"},
    Departure.DEPENDENCIES: {"optional/dependencies-compatibility.json"},
    Departure.CONTENT: {"optional/content.json"},
    Departure.UNEVALUATED: {"unevaluatedProperties.json"},
    Departure.RAISES: {"optional/id.json", "ref.json", "refRemote.json"},
}
"""In which files of the official suite each departure is met."""


def _has_places(compiled: CompiledSchema, issues: tuple[Issue, ...], value: object) -> bool:
    """Hold what is known without words against the words; false where that is nothing."""
    places = compiled.places(value, 100)
    assert places in {None, tuple((each.path, each.keyword) for each in issues)}
    return places is not None


@pytest.mark.parametrize("formats", [False, True], ids=["formats-off", "formats-on"])
def test_words_are_those_of_jsonschema_over_the_official_suite(
    official: Suite, formats: bool
) -> None:
    """Every value that we refuse: same places, same sentences, same keywords, same order."""
    met: dict[Departure, set[str]] = defaultdict(set)
    unexplained: list[tuple[str, str, str, str]] = []
    same = placed = 0

    for name, dialect in BY_NAME.items():
        remotes = official.remotes(dialect)
        for case in official.cases(dialect):
            compiled = CompiledSchema(
                case.schema, formats=formats, resources=remotes, default_dialect=dialect
            )
            if compiled.problem is not None:
                continue
            reference = Reference(case.schema, dialect, remotes=remotes, formats=formats)
            for test in case.tests:
                issues = compiled.issues(test.data)
                if not issues:
                    continue
                placed += _has_places(compiled, issues, test.data)
                departure = reference.departure(issues, test.data)
                if departure is Departure.UNEXPLAINED:
                    unexplained.append((name, case.file, case.description, test.description))
                elif departure is Departure.NONE:
                    same += 1
                else:
                    met[departure].add(case.file)

    assert [] == unexplained
    assert EXPECTED == met
    assert same > 2_000
    assert placed > 2_000


def _calls() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Read the recorded calls: the case's id, the schema, the call."""
    toolsets = json.loads((CALLS / "toolsets.json").read_text("utf-8"))
    found = []
    for line in (CALLS / "cases.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        tools = case.get("tools") or toolsets[case["toolset"]]
        schemas = {tool["name"]: tool["inputSchema"] for tool in tools}
        found += [(case["id"], schemas[call["name"]], call) for call in case["calls"]]
    return found


def _at_parent(issue: Issue) -> tuple[str, str | None]:
    """Place a missing member at its parent, as the corpus does."""
    path = issue.path[:-1] if issue.keyword == "required" else issue.path
    return to_pointer(path), issue.keyword


@pytest.mark.skipif(not CALLS.is_dir(), reason="../shared is not here")
def test_real_calls_get_the_verdict_and_the_words_of_jsonschema() -> None:
    """Recorded calls of published data sets, against the schemas published with them."""
    verdicts = {"valid": 0, "invalid": 0}

    for name, schema, call in _calls():
        issues = compile_schema(schema).issues(call["arguments"])
        expected = [(each["path"], each["keyword"]) for each in call.get("errors", ())]
        reference = Reference(schema, DEFAULT_DIALECT)
        verdicts[call["expect"]] += 1

        assert (call["expect"] == "valid") == (not issues), name
        if any(keyword.startswith("(schema unusable") for _, keyword in expected):
            # The reference raises; a schema that cannot be used is decision V8.
            assert [("", "schema")] == [_at_parent(issue) for issue in issues], name
            continue
        assert expected == [_at_parent(issue) for issue in issues], name
        assert Departure.NONE is reference.departure(issues, call["arguments"]), name

    assert verdicts["valid"] > 100
    assert verdicts["invalid"] > 50


@pytest.mark.no_cover
@pytest.mark.skipif(not TOOLLISTS.is_dir(), reason="../shared is not here")
def test_damaged_arguments_of_real_tools_get_the_words_of_jsonschema() -> None:
    """Tools of the corpus; the same places, sentences, keywords, in the same order."""
    draw = random.Random(11)
    refused = 0

    for name, schema in corpus_schemas(EVERY):
        compiled = compile_schema(schema)
        value = made_value(schema, draw)
        if compiled.problem is not None or not isinstance(value, dict):
            continue
        for _ in range(2):
            damage(value, draw)
            issues = compiled.issues(value)
            refused += bool(issues) and _has_places(compiled, issues, value)
            departure = Reference(schema, compiled.dialect).departure(issues, value)
            assert Departure.NONE is departure, name

    assert refused > 1_000 // EVERY


@pytest.mark.no_cover
@pytest.mark.parametrize("dialect", DIALECTS, ids=[each.name for each in DIALECTS])
def test_any_schema_and_value_get_one_verdict_and_known_words(dialect: Dialect) -> None:
    """Verdicts are those of the compiled engine, words those of the reference."""

    @settings(max_examples=100 if IS_LONG else 30, deadline=None, derandomize=True, database=None)
    @given(schema=schemas_of(dialect.number), values=st.lists(VALUES, min_size=3, max_size=6))
    def hold(schema: Any, values: list[Any]) -> None:
        compiled = CompiledSchema(schema, default_dialect=dialect)
        engine = dialect.accepts(schema, validate_formats=False, offline=True)
        reference = Reference(schema, dialect)

        assert compiled.problem is None
        for value in values:
            issues = compiled.issues(value)
            assert engine.is_valid(value) == (not issues)
            if issues:
                _has_places(compiled, issues, value)
                assert Departure.UNEXPLAINED is not reference.departure(issues, value)

    hold()


@settings(max_examples=60 if IS_LONG else 20, deadline=None, derandomize=True, database=None)
@given(data=st.data())
def test_what_is_made_for_a_schema_is_accepted(data: st.DataObject) -> None:
    """An independent generator of valid values finds none that we refuse."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "kind": {"enum": ["a", "b"]},
            "size": {"type": "integer", "minimum": 1, "maximum": 9},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            "more": {"anyOf": [{"type": "null"}, {"type": "number", "multipleOf": 0.5}]},
        },
        "required": ["kind", "size"],
    }
    value = data.draw(from_schema(schema))

    assert () == compile_schema(schema).issues(value)
