import { keyOf } from "../json/equal";
import { type JsonObject, type JsonValue, isArray, isObject } from "../json/value";
import { isAtLeast, stringList } from "./keywords";

type Merge = (first: JsonValue, second: JsonValue) => JsonValue;

/**
 * One schema in place of two that both hold.
 *
 * Exact for what a form and an example need: members, duties, types, choices
 * and bounds. Words (title, description, default, examples) and what cannot be
 * joined are taken from the first.
 */
export function join(first: JsonObject, second: JsonObject): JsonObject {
  const whole: Record<string, JsonValue | undefined> = { ...first };
  for (const [key, theirs] of Object.entries(second)) {
    const ours = first[key];
    if (theirs === undefined) continue;
    whole[key] = ours === undefined ? theirs : (MERGES[key] ?? keepFirst)(ours, theirs);
  }
  return whole;
}

const keepFirst: Merge = (first) => first;
const lower: Merge = (first, second) => (isAtLeast(first, second) ? second : first);
const higher: Merge = (first, second) => (isAtLeast(first, second) ? first : second);
const both: Merge = (first, second) => ({ allOf: [first, second] });
const eitherTrue: Merge = (first, second) => first === true || second === true;

/** Both lists of schemas by name; a name in both must satisfy both. */
const members: Merge = (first, second) => {
  if (!isObject(first)) return second;
  if (!isObject(second)) return first;
  const all = Object.assign(Object.create(null), first) as Record<string, JsonValue | undefined>;
  for (const [key, each] of Object.entries(second)) {
    const known = all[key];
    all[key] = known === undefined ? each : both(known, each ?? {});
  }
  return all;
};

const MERGES: Readonly<Record<string, Merge>> = {
  type: joinTypes,
  enum: joinChoices,
  required: (first, second) => [...new Set([...stringList(first), ...stringList(second)])],
  allOf: (first, second) => [...(isArray(first) ? first : []), ...(isArray(second) ? second : [])],
  uniqueItems: eitherTrue,
  ...forAll(both, "items", "propertyNames"),
  ...forAll(bothSides, "additionalProperties", "unevaluatedProperties"),
  ...forAll(members, "properties", "patternProperties", "dependentSchemas", "$defs", "definitions"),
  ...forAll(higher, "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"),
  ...forAll(lower, "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"),
};

function forAll(merge: Merge, ...keywords: readonly string[]): Readonly<Record<string, Merge>> {
  return Object.fromEntries(keywords.map((each) => [each, merge]));
}

function bothSides(first: JsonValue, second: JsonValue): JsonValue {
  if (first === false || second === false) return false;
  if (first === true) return second;
  return second === true ? first : both(first, second);
}

function joinTypes(first: JsonValue, second: JsonValue): JsonValue {
  const [ours, theirs] = [namesOf(first), namesOf(second)];
  const shared = ours.flatMap((each) => {
    if (theirs.includes(each)) return [each];
    // Every integer is a number, so the narrower of the two is what both allow.
    if (each === "number" && theirs.includes("integer")) return ["integer"];
    return each === "integer" && theirs.includes("number") ? [each] : [];
  });
  return shared.length === 1 ? (shared[0] ?? shared) : shared;
}

function namesOf(type: JsonValue): readonly string[] {
  return typeof type === "string" ? [type] : stringList(type);
}

function joinChoices(first: JsonValue, second: JsonValue): JsonValue {
  if (!isArray(first)) return second;
  if (!isArray(second)) return first;
  const theirs = new Set(second.map(keyOf));
  return first.filter((each) => theirs.has(keyOf(each)));
}
