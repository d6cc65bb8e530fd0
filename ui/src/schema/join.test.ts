import { expect, test } from "vitest";
import { readJson } from "../json/value";
import { accepts } from "./accepts";
import { effective } from "./effective";
import { join } from "./join";
import { asSchema } from "./keywords";

function schema(value: object) {
  return asSchema(readJson(JSON.stringify(value)));
}

function joined(first: object, second: object): object {
  return join(schema(first), schema(second));
}

test("what both allow is left: types, choices, bounds, duties", () => {
  expect(joined({ type: ["string", "number"] }, { type: ["integer", "null"] })).toEqual({ type: "integer" });
  expect(joined({ type: "string" }, { type: "integer" })).toEqual({ type: [] });
  expect(joined({ enum: [1, 2, "a"] }, { enum: [2, 3, "a"] })).toEqual({ enum: [2, "a"] });
  expect(joined({ minimum: 1, maximum: 9, maxLength: 5 }, { minimum: 3, maximum: 20, maxLength: 4 })).toEqual({
    minimum: 3, maximum: 9, maxLength: 4,
  });
  expect(joined({ required: ["a"] }, { required: ["b", "a"] })).toEqual({ required: ["a", "b"] });
  expect(joined({ additionalProperties: { type: "string" } }, { additionalProperties: false })).toEqual({ additionalProperties: false });
  expect(joined({ uniqueItems: false }, { uniqueItems: true })).toEqual({ uniqueItems: true });
});

test("members of both must satisfy both; words are the first one's", () => {
  expect(joined({ title: "A", properties: { x: { type: "string" } } }, { title: "B", properties: { x: { minLength: 1 }, y: {} } }))
    .toMatchObject({ title: "A", properties: { x: { allOf: [{ type: "string" }, { minLength: 1 }] }, y: {} } });
});

test("effective follows references and joins allOf, at every depth", () => {
  const root = schema({
    $defs: { Named: { properties: { name: { type: "string" } }, required: ["name"] }, Both: { allOf: [{ $ref: "#/$defs/Named" }, { required: ["id"] }] } },
  });
  expect(effective(schema({ allOf: [{ $ref: "#/$defs/Both" }], description: "mine" }), root)).toMatchObject({
    schema: { description: "mine", required: ["name", "id"], properties: { name: { type: "string" } } },
    refs: ["#/$defs/Both", "#/$defs/Named"],
  });
});

test("effective takes the side of a condition that the value is on", () => {
  const own = schema({
    properties: { kind: { type: "string" } },
    if: { properties: { kind: { const: "a" } }, required: ["kind"] },
    then: { properties: { a: { type: "string" } }, required: ["a"] },
    else: { properties: { b: { type: "string" } } },
    dependentSchemas: { kind: { properties: { k: {} } } },
  });
  const keys = (value: object | undefined): string[] =>
    Object.keys(asSchema(effective(own, own, value && readJson(JSON.stringify(value))).schema["properties"]));
  expect(keys({ kind: "a" })).toEqual(["kind", "a", "k"]);
  expect(keys({ kind: "x" })).toEqual(["kind", "b", "k"]);
  expect(keys(undefined)).toEqual(["kind"]);
});

test("a schema that is part of itself ends", () => {
  const root = schema({ allOf: [{ $ref: "#" }], required: ["a"] });
  expect(effective(root, root).schema["required"]).toEqual(["a"]);
  const deep = schema({ $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { allOf: [{ $ref: "#/$defs/a" }, { minimum: 1 }] } }, $ref: "#/$defs/a" });
  expect(effective(deep, deep).schema["minimum"]).toBe(1);
});

test("accepts knows the keywords that choosing needs", () => {
  const yes: [object, string][] = [
    [{ type: "integer" }, "1.0"], [{ enum: [1.0] }, "1"], [{ const: { a: [1] } }, '{"a": [1.0]}'],
    [{ multipleOf: 0.1 }, "0.3"], [{ minLength: 1, maxLength: 1 }, '"𝒳"'], [{ pattern: "^a" }, '"abc"'],
    [{ prefixItems: [{ type: "string" }], items: false }, '["a"]'], [{ items: [{ type: "string" }], additionalItems: false }, '["a"]'],
    [{ oneOf: [{ type: "string" }, { minLength: 2 }] }, '"a"'], [{ not: { type: "null" } }, "1"],
    [{ contains: { const: 2 }, maxContains: 1 }, "[1, 2]"], [{ propertyNames: { maxLength: 1 } }, '{"a": 1}'],
    [{ patternProperties: { "^x": { type: "integer" } }, additionalProperties: false }, '{"x1": 1}'],
    [{ dependentRequired: { a: ["b"] } }, '{"b": 1}'], [{ $ref: "https://elsewhere.example/" }, "1"],
    [{ pattern: "(" }, '"x"'],
  ];
  const no: [object | boolean, string][] = [
    [{ type: "integer" }, "1.5"], [{ type: "integer" }, "true"], [{ minimum: 1, exclusiveMinimum: true }, "1"],
    [{ maximum: 1, exclusiveMaximum: true }, "1"], [{ exclusiveMaximum: 1 }, "1"], [{ exclusiveMinimum: 1 }, "1"],
    [{ multipleOf: 0.1 }, "0.35"], [{ uniqueItems: true }, "[1, 1.0]"], [{ prefixItems: [{}], items: false }, "[1, 2]"],
    [{ oneOf: [{}, {}] }, "1"], [{ allOf: [{ minimum: 2 }] }, "1"], [{ required: ["toString"] }, "{}"],
    [{ dependentRequired: { a: ["b"] } }, '{"a": 1}'], [{ dependentSchemas: { a: { required: ["b"] } } }, '{"a": 1}'],
    [{ contains: { const: 2 } }, "[1]"], [{ if: { minimum: 5 }, then: { maximum: 6 } }, "7"], [false, "1"],
    [{ format: "date" }, '"2026-13-01"'], [{ minProperties: 1 }, "{}"], [{ properties: { a: false } }, '{"a": 1}'],
  ];
  for (const [each, value] of yes) expect(accepts(schema(each), readJson(value) ?? null, schema(each)), `${JSON.stringify(each)} ${value}`).toBe(true);
  for (const [each, value] of no) {
    const own = readJson(JSON.stringify(each)) ?? null;
    expect(accepts(own, readJson(value) ?? null, own), `${JSON.stringify(each)} ${value}`).toBe(false);
  }
});

test("accepts ends on a schema without an end", () => {
  const root = schema({ anyOf: [{ $ref: "#" }, { $ref: "#" }] });
  expect(accepts(root, 1, root)).toBe(true);
});
