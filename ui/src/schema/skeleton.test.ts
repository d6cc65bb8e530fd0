import { describe, expect, test } from "vitest";
import { readJson } from "../json/value";
import { skeleton, startOf } from "./skeleton";

/** The skeleton on one line. */
function made(schema: object | string): string {
  const text = typeof schema === "string" ? schema : JSON.stringify(schema);
  return skeleton(readJson(text) ?? null).replace(/\n\s*/g, "");
}

function field(schema: object): string {
  return made({ properties: { x: schema }, required: ["x"] });
}

describe("skeleton", () => {
  test("leaves out what is not required", () => {
    expect(made({ type: "object", properties: { a: { type: "string" }, b: { default: 1 } } })).toBe("{}");
  });

  test("takes const, default, example, enum member, in this order", () => {
    expect(field({ const: 1, default: 2 })).toBe('{"x": 1}');
    expect(field({ default: null, examples: [3] })).toBe('{"x": null}');
    expect(field({ examples: [3], enum: [4] })).toBe('{"x": 3}');
    expect(field({ enum: [4, 5] })).toBe('{"x": 4}');
  });

  test("has a placeholder of each type", () => {
    expect(made({
      type: "object",
      properties: {
        s: { type: "string" }, i: { type: "integer" }, n: { type: "number" }, b: { type: "boolean" },
        o: { type: "object" }, a: { type: "array" }, z: { type: "null" }, e: {}, m: { type: ["null", "string"] },
      },
      required: ["s", "i", "n", "b", "o", "a", "z", "e", "m"],
    })).toBe('{"s": "","i": 0,"n": 0,"b": false,"o": {},"a": [],"z": null,"e": null,"m": ""}');
  });

  test("keeps numbers inside their bounds", () => {
    expect(field({ type: "integer", minimum: 3 })).toBe('{"x": 3}');
    expect(field({ type: "integer", exclusiveMinimum: 3 })).toBe('{"x": 4}');
    expect(field({ type: "number", maximum: -2.5 })).toBe('{"x": -2.5}');
    expect(field({ type: "integer", minimum: 0.5 })).toBe('{"x": 1}');
  });

  test("fills nested objects and as many items as are asked for", () => {
    expect(field({ type: "object", properties: { y: { type: "array", minItems: 2, items: { type: "integer" } } }, required: ["y"] }))
      .toBe('{"x": {"y": [0,0]}}');
    expect(field({ type: "array", minItems: 2, prefixItems: [{ const: "a" }], items: { const: "b" } })).toBe('{"x": ["a","b"]}');
  });

  test("follows local references, with members beside them", () => {
    expect(made({ $ref: "#/$defs/A", $defs: { A: { required: ["x"], properties: { x: { $ref: "#/$defs/a~1b" } } }, "a/b": { const: 7 } } }))
      .toBe('{"x": 7}');
    expect(field({ $ref: "#nowhere", default: 5 })).toBe('{"x": 5}');
    expect(made({ required: ["x"], properties: { x: { $ref: "#here" } }, $defs: { any: { $anchor: "here", const: 8 } } })).toBe('{"x": 8}');
  });

  test("never follows a remote reference", () => {
    expect(field({ $ref: "https://example.org/schema.json" })).toBe('{"x": null}');
  });

  test("ends a recursion, by another branch where there is one", () => {
    const node = { type: "object", properties: { next: { $ref: "#/$defs/N" } }, required: ["next"] };
    expect(made({ $ref: "#/$defs/N", $defs: { N: node } })).toBe("{}");
    const list = { type: "object", properties: { next: { anyOf: [{ $ref: "#/$defs/N" }, { type: "null" }] } }, required: ["next"] };
    expect(made({ $ref: "#/$defs/N", $defs: { N: list } })).toBe('{"next": null}');
    expect(made({ $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A" } } })).toBe("{}");
  });

  test("is bounded where references double", () => {
    const $defs: Record<string, object> = { d40: { type: "integer" } };
    for (let i = 0; i < 40; i++) {
      const next = { $ref: `#/$defs/d${i + 1}` };
      $defs[`d${i}`] = { type: "object", properties: { a: next, b: next }, required: ["a", "b"] };
    }
    expect(made({ $ref: "#/$defs/d0", $defs }).length).toBeLessThan(100_000);
    expect(field({ type: "array", minItems: 1e9, items: {} }).length).toBeLessThan(100_000);
  });

  test("takes the first branch of a union at the root, joined with what stands beside it", () => {
    expect(made({
      type: "object",
      properties: { id: { type: "integer" }, kind: { type: "string" } },
      required: ["id"],
      anyOf: [
        { properties: { kind: { const: "email" }, address: { type: "string" } }, required: ["kind", "address"] },
        { properties: { kind: { const: "sms" } }, required: ["kind"] },
      ],
    })).toBe('{"id": 0,"kind": "email","address": ""}');
  });

  test("prefers a value to null in a nullable union", () => {
    expect(field({ anyOf: [{ type: "null" }, { type: "string", enum: ["send"] }] })).toBe('{"x": "send"}');
  });

  test("joins the parts of allOf", () => {
    expect(made({ allOf: [{ required: ["a"], properties: { a: { const: 1 } } }, { required: ["b"] }] })).toBe('{"a": 1,"b": null}');
  });

  test("keeps exact numbers and odd names", () => {
    expect(made('{"required": ["x", "__proto__", "constructor"], "properties": {"x": {"const": 12345678901234567890}}}'))
      .toBe('{"x": 12345678901234567890,"__proto__": null,"constructor": null}');
  });

  test("is an empty object for schemas that are none or not of objects", () => {
    expect(["{}", "true", "false", "null", '{"type": "array"}', '{"properties": 5, "required": "x"}'].map(made)).toEqual(
      Array(6).fill("{}"),
    );
  });
});

test("a part begins as what was asked for, with its default where that is one", () => {
  expect(startOf({ default: null, required: ["a"], properties: { a: { type: "string" } } }, "object", {})).toEqual({ a: "" });
  expect(startOf({ default: { a: 1 } }, "object", {})).toEqual({ a: 1 });
  expect(startOf({ default: "none", minItems: 1, items: { type: "integer" } }, "array", {})).toEqual([0]);
  expect(startOf({ examples: [null] }, "string", {})).toBe("");
});
