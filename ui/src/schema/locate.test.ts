import { expect, test } from "vitest";
import { prettyJson } from "../json/print";
import { readJson } from "../json/value";
import { lineFinder } from "./locate";

function finder(schema: object): (pointer: string, keyword: string | null, instance: object) => string | null {
  const text = prettyJson(JSON.stringify(schema));
  const find = lineFinder(readJson(text) ?? null, text);
  return (pointer, keyword, instance) => {
    const found = find(pointer, keyword, readJson(JSON.stringify(instance)) ?? null);
    if (!found) return null;
    expect(text.split("\n")[found.line - 1]?.trim()).toBe(found.text);
    return `${found.line} ${found.text}`;
  };
}

const SCHEMA = {
  type: "object",
  properties: {
    n: { type: "integer", minimum: 3 },
    role: { anyOf: [{ $ref: "#/$defs/Role" }, { type: "null" }] },
    list: { type: "array", items: { type: "string", maxLength: 2 } },
  },
  required: ["n"],
  additionalProperties: false,
  $defs: { Role: { type: "string", enum: ["a", "b"] } },
};

test("the line with the keyword that asks is found, through references and unions", () => {
  const find = finder(SCHEMA);
  expect(find("/n", "minimum", { n: 1 })).toBe('6 "minimum": 3');
  expect(find("/n", "type", { n: "x" })).toBe('5 "type": "integer",');
  expect(find("/role", "anyOf", { role: 5 })).toBe('9 "anyOf": [');
  expect(find("/role", "enum", { role: "z" })).toMatch(/^\d+ "enum": \["a", "b"\]/);
  expect(find("/list/0", "maxLength", { list: ["abc"] })).toBe('22 "maxLength": 2');
});

test("what an object lacks or has too much is asked for by the object", () => {
  const find = finder(SCHEMA);
  expect(find("/n", "required", {})).toBe('26 "required": ["n"],');
  expect(find("", "additionalProperties", { n: 3, zz: 1 })).toBe('27 "additionalProperties": false,');
});

test("of several schemas the one that is broken is meant", () => {
  const find = finder({ allOf: [{ properties: { a: { maximum: 9 } } }, { properties: { a: { maximum: 5 } } }] });
  expect(find("/a", "maximum", { a: 7 })).toMatch(/"maximum": 5$/);
  expect(find("/a", "maximum", { a: 12 })).toMatch(/"maximum": 9$/);
});

test("anchors, conditions, patterns and tuples lead there too", () => {
  expect(finder({ properties: { a: { $ref: "#here" } }, $defs: { x: { $anchor: "here", minimum: 1 } } })("/a", "minimum", { a: 0 })).toMatch(/"minimum": 1$/);
  expect(finder({ then: { properties: { a: { minimum: 1 } } } })("/a", "minimum", { a: 0 })).toMatch(/"minimum": 1$/);
  expect(finder({ patternProperties: { "^x": { minimum: 1 } } })("/x1", "minimum", { x1: 0 })).toMatch(/"minimum": 1$/);
  expect(finder({ properties: { t: { prefixItems: [{}, { minimum: 1 }] } } })("/t/1", "minimum", { t: [0, 0] })).toMatch(/"minimum": 1$/);
  expect(finder({ dependentRequired: { a: ["b"] } })("/b", "dependentRequired", { a: 0 })).toMatch(/"dependentRequired": \{$/);
});

test("where nothing is known nothing is said", () => {
  const find = finder(SCHEMA);
  expect(find("/n", null, { n: 1 })).toBeNull();
  expect(find("/n", "pattern", { n: 1 })).toBeNull();
  expect(find("/x/y", "type", { x: 1 })).toBeNull();
  expect(lineFinder(null, "{")("", "type", null)).toBeNull();
  const loop = finder({ anyOf: [{ $ref: "#" }, { $ref: "#" }] });
  expect(loop("/a/b/c", "type", {})).toBeNull();
});
