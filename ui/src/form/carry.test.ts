import { expect, test } from "vitest";
import { type JsonValue, readJson } from "../json/value";
import { carried } from "./carry";
import { viewOf } from "./view";

/** The text after the second kind was chosen in place of the first. */
function chosen(text: string, first: unknown, second: unknown, whole: object = {}): string | null {
  const schema = readJson(JSON.stringify({ ...whole, oneOf: [first, second] })) as JsonValue;
  const { shape } = viewOf(schema, schema);
  const [before, next] = shape.kind === "union" ? shape.branches : [];
  if (!next) throw new Error("no union");
  return carried(text, before, next, schema);
}

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const text = { type: "string" };
const cat = object({ meow: text }, { required: ["meow"] });
const dog = object({ bark: text }, { required: ["bark"] });

test("members of the old kind go, and those that the new one needs come", () => {
  expect(chosen('{"meow": "tom"}', cat, dog)).toBe('{\n  "bark": ""\n}');
  expect(chosen('{"meow": "tom"}', cat, { ...dog, additionalProperties: false })).toBe('{\n  "bark": ""\n}');
  expect(chosen('{"meow": "tom"}', cat, object({ bark: text }))).toBe("{}");
});

test("members that both know stay as they were written", () => {
  const tagged = (tag: string, more: object) =>
    object({ kind: { const: tag }, id: { type: "number" }, ...more }, { required: ["kind", "id"] });
  expect(chosen('{"kind": "a", "id": 1.0, "x": "y"}', tagged("a", { x: text }), tagged("b", { z: text }))).toBe(
    '{"kind": "b", "id": 1.0}',
  );
  expect(chosen('{"id": 1}', tagged("a", {}), object({ id: text }, { required: ["id"] }))).toBe('{\n  "id": ""\n}');
  expect(chosen('{"name": ""}', object({ name: text }), object({ name: { type: "string", minLength: 1 } }))).toBe('{"name": ""}');
  expect(chosen('{"any": 5}', object({ any: {} }), object({ any: true, b: text }))).toBe('{"any": 5}');
  expect(chosen('{"in": {"a": 5}}', object({ in: object({ a: {} }) }), object({ in: object({ a: text }) }))).toBe("{}");
  expect(chosen('{"in": {"a": ""}}', object({ in: cat }), object({ in: object({ a: text, b: text }, { required: ["b"] }) }))).toBe(
    '{"in": {"a": ""}}',
  );
});

test("what neither names stays where it may", () => {
  expect(chosen('{"meow": "tom", "own": 12345678901234567890}', cat, dog)).toBe('{"own": 12345678901234567890, "bark": ""}');
  expect(chosen('{"own": 1}', object({}), { ...dog, additionalProperties: false })).toBe('{\n  "bark": ""\n}');
  expect(chosen('{"a": "x", "b": 2}', cat, object({ c: text }, { additionalProperties: text }))).toBe('{"a": "x"}');
});

test("an object without rules takes every member, and what all kinds share is shared", () => {
  expect(chosen('{"meow": "tom"}', cat, { type: "object" })).toBe('{"meow": "tom"}');
  const whole = object({ id: text }, { required: ["id"] });
  expect(chosen('{"id": "i", "meow": "tom"}', cat, dog, whole)).toBe('{"id": "i", "bark": ""}');
});

test("a value that is no object stays where typing on could make it right", () => {
  expect(chosen('"abc"', { type: "string", format: "email" }, { type: "string", pattern: "^x" })).toBe('"abc"');
  expect(chosen('"abc"', text, { enum: ["x", 1] })).toBeNull();
  expect(chosen('"x"', text, { enum: ["x", 1] })).toBe('"x"');
  expect(chosen("5", { type: "number" }, text)).toBeNull();
  expect(chosen('["a"]', { type: "array", items: text }, { type: "array", items: { type: "number" } })).toBeNull();
  expect(chosen('["a"]', { type: "array", items: text }, { type: "array", items: text, minItems: 2 })).toBe('["a"]');
  expect(chosen('{"a": 1}', object({}), { type: "array" })).toBeNull();
  expect(chosen("[1]", { type: "array" }, dog)).toBeNull();
});
