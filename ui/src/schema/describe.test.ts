import { expect, test } from "vitest";
import { readJson } from "../json/value";
import { childrenOf, describe, typeText } from "./describe";
import { asSchema } from "./keywords";

function rows(schema: object) {
  const value = asSchema(readJson(JSON.stringify(schema)));
  return childrenOf(value, value).map((part) => describe(part, value));
}

function type(schema: object): string {
  const value = asSchema(readJson(JSON.stringify(schema)));
  return typeText(value, value);
}

test("a row tells name, type, duty, text and limits", () => {
  expect(rows({ properties: { days: { type: "integer", minimum: 1, default: 3, description: "How many" } }, required: ["days"] }))
    .toMatchObject([
      {
        label: "days", kind: "property", required: true, type: "integer", description: "How many", children: 0,
        facts: [{ name: "default", value: "3" }, { name: "minimum", value: "1" }],
      },
    ]);
});

test("a required name without a schema has a row too", () => {
  expect(rows({ required: ["ghost"] })).toMatchObject([{ label: "ghost", required: true, type: "any" }]);
});

test("types in one line", () => {
  expect(type({ type: ["string", "null"] })).toBe("string | null");
  expect(type({ type: "array", items: { type: "string" } })).toBe("string[]");
  expect(type({ type: "array", items: { type: ["string", "null"] } })).toBe("(string | null)[]");
  expect(type({ anyOf: [{ type: "string" }, { type: "null" }] })).toBe("string | null");
  expect(type({ enum: [1, 2] })).toBe("enum");
  expect(type({ anyOf: [{ $ref: "#/$defs/R" }, { type: "null" }], $defs: { R: { enum: ["a"] } } })).toBe("enum | null");
});

test("a plain nullable union has no rows below, a union of objects has", () => {
  expect(rows({ anyOf: [{ type: "string" }, { type: "null" }] })).toEqual([]);
  expect(rows({ oneOf: [{ properties: { a: {} } }, { type: "null" }] }).map(({ label }) => label)).toEqual([
    "one of · 1",
    "one of · 2",
  ]);
});

test("recursion ends because rows are made one level at a time", () => {
  const [first] = rows({ properties: { self: { $ref: "#" } } });
  expect(first).toMatchObject({ children: 1, facts: [{ name: "$ref", value: "#" }] });
});

test("patterns and enum members are shown as written", () => {
  expect(rows({ properties: { z: { pattern: "^\\d+$", enum: ["a", null, 1] } } })[0]?.facts).toEqual([
    { name: "one of", value: '"a", null, 1' },
    { name: "pattern", value: "^\\d+$" },
  ]);
});
