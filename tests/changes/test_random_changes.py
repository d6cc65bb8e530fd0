"""Changes nobody chose, and values nobody chose, against every verdict."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis_jsonschema import from_schema

from tests.changes.mutations import corpus, mutated
from toolgauge.changes import compare_schemas
from toolgauge.contract import compile_schema, contains

pytestmark = pytest.mark.no_cover

TOOLS = corpus()
SUITE = Path(__file__).parents[1] / "suites" / "compare_pairs.json"
COMPATIBLE = [
    each
    for each in json.loads(SUITE.read_text())
    # The library resolves no definition that contains itself.
    if each["expect"] == "compatible" and "#" not in json.dumps(each).replace("schema#", "")
]
JUDGED = settings(
    max_examples=12,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)
QUICKLY = settings(JUDGED, max_examples=5)
LONGEST = 900
"""In characters of JSON: the library needs a second for large schemas."""

needs_corpus = pytest.mark.skipif(not TOOLS, reason="the corpus lies beside the project, not in it")


@needs_corpus
def test_few_changes_of_one_keyword_stay_unproven() -> None:
    """At most one in ten may; measured are four in a thousand. Breaks come with a witness."""
    chance = random.Random(4)
    tools = chance.sample(TOOLS, 200)
    unproven: list[str] = []
    for tool in tools:
        old = tool["inputSchema"]
        new, keyword = mutated(old, chance)
        for change in compare_schemas(old, new).changes:
            assert (change.severity == "breaking") <= change.has_witness
            if change.severity == "breaking":
                assert compile_schema(old).is_valid(change.witness)
                assert not compile_schema(new).is_valid(change.witness)
            if change.severity == "unproven":
                unproven.append(f"{tool['name']}: {keyword}")

    assert len(unproven) <= 0.03 * len(tools), unproven


SMALL: list[dict[str, Any]] = [
    {"type": "object", "properties": {"a": {"type": "string", "minLength": 1}}, "required": ["a"]},
    {"type": "array", "items": {"type": "integer", "minimum": 0}, "maxItems": 3},
    {"anyOf": [{"type": "integer"}, {"type": "null"}, {"enum": ["a", "b"]}]},
    {"type": "object", "additionalProperties": {"type": "number", "maximum": 9}},
    {"type": "object", "properties": {"a": {"type": "boolean"}}, "additionalProperties": False},
    {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 1},
]


@pytest.mark.parametrize("seed", range(24))
def test_random_values_never_contradict_a_proof(seed: int) -> None:
    """An independent library makes values of the one schema; the other must admit them."""
    chance = random.Random(seed)
    old = SMALL[seed % len(SMALL)]
    new, _ = mutated(old, chance)
    for smaller, bigger in ((old, new), (new, old)):
        if "yes" != contains(bigger, smaller).answer:
            continue
        _judge(smaller, bigger)


def _judge(smaller: Any, bigger: Any, effort: settings = JUDGED) -> None:
    """Hold values that the one schema admits against the other."""
    admits, compiled = compile_schema(smaller), compile_schema(bigger)

    @effort
    @given(from_schema(smaller))
    def judge(value: Any) -> None:
        # The library knows drafts 04 to 07, and makes too much of what is newer.
        assert admits.is_valid(value) <= compiled.is_valid(value), (smaller, bigger)

    # No value at all contradicts nothing.
    with suppress(Unsatisfiable):
        judge()


@needs_corpus
@pytest.mark.parametrize("direction", ["input", "output"])
def test_random_values_never_contradict_a_compatible_change_of_a_real_schema(
    direction: Literal["input", "output"],
) -> None:
    """One keyword changed at random: what went in before goes in, what comes out is known."""
    chance = random.Random(9)
    small = [each for each in TOOLS if len(json.dumps(each["inputSchema"])) < LONGEST]
    judged = 0
    for tool in chance.sample(small, 90):
        old = tool["inputSchema"]
        new, _ = mutated(old, chance)
        if "compatible" == compare_schemas(old, new, direction=direction).verdict:
            judged += 1
            smaller, bigger = (old, new) if direction == "input" else (new, old)
            _judge(smaller, bigger, QUICKLY)

    assert judged >= 10


@pytest.mark.parametrize("pair", COMPATIBLE, ids=[each["name"] for each in COMPATIBLE])
def test_random_values_never_contradict_the_suite(pair: dict[str, Any]) -> None:
    """The hand-made answers are held against the same judge."""
    asked, given_ = pair["old"], pair["new"]
    if pair["direction"] == "output":
        asked, given_ = given_, asked
    _judge(asked, given_)


SCALARS: list[Any] = [True, {}, {"type": "string"}, {"type": "integer"}, {"const": 1}]
SCALARS += [{"enum": ["a", 1, None]}, {"minimum": 1}, {"const": True}, {"maxLength": 1}]
SCALARS += [{"exclusiveMinimum": 0}, {"maximum": 2**53}, {"type": "integer", "minimum": 2**63 - 1}]
VALUES: list[Any] = [None, True, False, 0, 1, 2, 1.5, "", "a", "ab", [], {}, ["a"], [1, 1], [1, 2]]
VALUES += [{name: each} for name in ("a", "b", "ab") for each in (None, 1, "a", {}, {"a": 1})]
VALUES += [0.5, 1.0, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 1e18, {"a": 2**53 + 1}]
VALUES += [{"a": 1, "b": 1}, {"a": "x", "ab": 2}, {"b": None, "ab": "a"}, [[1], {}], [{"a": 1}]]


def _schema(chance: random.Random, depth: int) -> Any:
    """Give a schema of several keywords that meet in it."""
    if depth == 0:
        return chance.choice(SCALARS)

    def below() -> Any:
        return _schema(chance, depth - 1)

    name = chance.choice(["a", "b", "ab"])
    keywords: dict[str, Any] = {
        "type": chance.choice(["object", "array", "string", ["object", "null"], "number"]),
        "properties": {name: below(), "a": below()},
        "patternProperties": {chance.choice(["^a", "b$"]): below()},
        "additionalProperties": chance.choice([False, below()]),
        "required": [name],
        "propertyNames": {"maxLength": 1},
        "items": below(),
        "prefixItems": [below()],
        "contains": below(),
        "uniqueItems": True,
        "anyOf": [below(), below()],
        "oneOf": [below(), below()],
        "allOf": [below()],
        "not": below(),
        "if": below(),
        "then": below(),
        "unevaluatedProperties": False,
        "dependentRequired": {"a": ["b"]},
        "$ref": "#/$defs/d",
    }
    return {key: keywords[key] for key in chance.sample(sorted(keywords), chance.randint(1, 4))}


def test_no_value_of_a_list_contradicts_a_verdict() -> None:
    """Keywords in every company, one of them taken away or put in."""
    answers = {"yes": 0, "no": 0, "unknown": 0}
    for seed in range(200):
        chance = random.Random(seed)
        one = {**_schema(chance, 2), "$defs": {"d": _schema(chance, 1)}}
        other = dict(one)
        key = chance.choice(sorted(one.keys() - {"$defs"}))
        other[key] = {**_schema(chance, 2), key: one[key]}[key]
        if len(other) > 2:
            del other[key]
        found = contains(other, one) if seed % 2 else contains(one, other)
        smaller, bigger = (one, other) if seed % 2 else (other, one)
        admits, refuses = compile_schema(smaller), compile_schema(bigger)
        answers[found.answer] += 1
        if found.answer == "yes":
            wrong = [each for each in VALUES if admits.is_valid(each) > refuses.is_valid(each)]
            assert [] == wrong, (smaller, bigger)
        elif found.answer == "no":
            assert admits.is_valid(found.witness) > refuses.is_valid(found.witness)

    assert answers["yes"] > 50
    assert answers["no"] > 25
