import { describe, expect, test } from "vitest";
import { readJson, writeJson } from "../json/value";
import { accepts } from "./accepts";
import { type Extent, exampleJson, exampleOf } from "./example";

function made(schema: object | string, extent: Extent = "all"): string {
  const value = readJson(typeof schema === "string" ? schema : JSON.stringify(schema)) ?? null;
  const example = exampleOf(value, extent);
  expect(accepts(value, example, value), writeJson(example)).toBe(true);
  return writeJson(example, "", "");
}

function field(schema: object, extent: Extent = "required"): string {
  return made({ properties: { x: schema }, required: ["x"] }, extent).slice(6, -1);
}

describe("an example", () => {
  test("has the required members, or all", () => {
    const schema = { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } }, required: ["b"] };
    expect(made(schema, "required")).toBe('{"b": 1}');
    expect(made(schema)).toBe('{"a": "example", "b": 1}');
    expect(exampleJson(readJson(JSON.stringify(schema)) ?? null, "required")).toBe('{\n  "b": 1\n}');
  });

  test("takes what the author wrote, where it is valid", () => {
    expect(field({ type: "string", examples: ["Oslo"], default: "Rome" })).toBe('"Oslo"');
    expect(field({ type: "integer", examples: ["no number"], example: 7 })).toBe("7");
    expect(field({ type: "string", default: "Rome" })).toBe('"Rome"');
    expect(field({ type: ["string", "null"], default: null })).toBe('"example"');
    expect(field({ enum: [null, "a"], default: null })).toBe("null");
    expect(field({ const: { a: 1 } })).toBe('{"a": 1}');
    expect(field({ type: "string", examples: ["too long"], maxLength: 3 })).toBe('"ple"');
  });

  test("keeps numbers within bounds and on the grid", () => {
    expect(field({ type: "integer", minimum: 3 })).toBe("3");
    expect(field({ type: "integer", maximum: -3 })).toBe("-3");
    expect(field({ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 })).toBe("0.5");
    expect(field({ type: "number", minimum: 2, exclusiveMinimum: true })).toBe("3");
    expect(field({ type: "integer", multipleOf: 5, minimum: 7 })).toBe("10");
    expect(field({ type: "number", multipleOf: 0.1, minimum: 0.25, maximum: 0.35 })).toBe("0.3");
    expect(field({ minimum: 4 })).toBe("4");
    expect(made('{"required": ["x"], "properties": {"x": {"type": "integer", "minimum": 9007199254740993}}}')).toBe('{"x": 9007199254740993}');
  });

  test("writes formats, patterns and lengths", () => {
    for (const format of ["date", "time", "date-time", "email", "uri", "uuid", "ipv4", "ipv6", "hostname", "duration"]) {
      expect(field({ type: "string", format }), format).not.toBe('"example"');
    }
    expect(field({ type: "string", pattern: "^\\d{5}$" })).toMatch(/^"\d{5}"$/);
    expect(field({ type: "string", minLength: 20 })).toMatch(/^".{20}"$/);
    expect(field({ type: "string", pattern: "^[a-z]*$", minLength: 50, maxLength: 60 })).toMatch(/^"[a-z]{50,60}"$/);
    expect(field({ type: "string", maxLength: 0 })).toBe('""');
    expect(field({ type: "string", contentEncoding: "base64" })).toBe('"ZXhhbXBsZQ=="');
  });

  test("fills lists and tuples as they must be", () => {
    expect(field({ type: "array", items: { type: "integer" }, minItems: 3, uniqueItems: true })).toBe("[1, 2, 3]");
    expect(field({ type: "array", items: { enum: ["a", "b"] }, minItems: 2, uniqueItems: true })).toBe('["a", "b"]');
    expect(field({ type: "array", items: { type: "string", format: "email" }, minItems: 2, uniqueItems: true })).toBe('["ada@example.org", "ada2@example.org"]');
    expect(field({ type: "array", items: { type: "string", pattern: "^[a-z]{3}$" }, minItems: 5, uniqueItems: true })).toMatch(/^\[("[a-z]{3}"(, )?){5}\]$/);
    expect(field({ type: "array", items: { type: "boolean" }, minItems: 2, uniqueItems: true })).toBe("[true, false]");
    expect(field({ type: "array", prefixItems: [{ const: 1 }, { const: "b" }], items: false }, "all")).toBe('[1, "b"]');
    expect(field({ type: "array", items: [{ const: 1 }], additionalItems: false, minItems: 1 })).toBe("[1]");
    expect(field({ type: "array", contains: { const: 7 }, items: { type: "integer" } })).toBe("[7]");
    expect(field({ type: "array", items: { type: "string" }, maxItems: 0 }, "all")).toBe("[]");
  });

  test("fills maps", () => {
    expect(field({ type: "object", additionalProperties: { type: "integer" } }, "all")).toBe('{"key": 1}');
    expect(field({ type: "object", patternProperties: { "^x-[a-z]$": { type: "integer" } }, additionalProperties: false, minProperties: 2 })).toMatch(/^\{"x-[a-z]": 1, "x-[a-z]": 2\}$/);
    expect(field({ type: "object", propertyNames: { enum: ["a", "b"] }, minProperties: 2 })).toMatch(/^\{"a": .*"b": .*\}$/);
    expect(field({ type: "object", properties: { a: {}, b: { type: "integer" } }, minProperties: 1 })).toBe('{"a": "example"}');
  });

  test("chooses a branch that suits the whole", () => {
    expect(field({ anyOf: [{ type: "null" }, { type: "integer" }] })).toBe("1");
    expect(field({ oneOf: [{ type: "number" }, { type: "integer" }] })).toBe("1.5");
    expect(made({ type: "object", properties: { a: {}, b: {} }, oneOf: [{ required: ["a"] }, { required: ["b"] }] })).toBe('{"a": "example"}');
    expect(made({
      type: "object",
      oneOf: [
        { properties: { kind: { const: "a" }, n: { type: "integer" } }, required: ["kind", "n"] },
        { properties: { kind: { const: "b" } }, required: ["kind"] },
      ],
    })).toBe('{"kind": "a", "n": 1}');
    expect(made({ allOf: [{ properties: { a: { type: "integer" } } }, { properties: { a: { minimum: 5 } }, required: ["a"] }] })).toBe('{"a": 5}');
  });

  test("obeys conditions and dependencies", () => {
    expect(made({ type: "object", properties: { a: { const: 1 } }, dependentRequired: { a: ["b"] } })).toBe('{"a": 1, "b": "example"}');
    expect(made({
      properties: { kind: { enum: ["x", "y"] } }, required: ["kind"],
      if: { properties: { kind: { const: "x" } } }, then: { required: ["a"] }, else: { required: ["b"] },
    })).toMatch(/"kind": "x".*"a"/);
    expect(made({ type: "object", properties: { a: {}, b: {}, c: {} }, not: { required: ["a", "b"] } })).toBe('{"a": "example", "c": "example"}');
  });

  test("follows references and ends recursion", () => {
    const Node = { type: "object", properties: { name: { type: "string" }, next: { $ref: "#/$defs/Node" }, all: { type: "array", items: { $ref: "#/$defs/Node" } } }, required: ["name"] };
    expect(made({ properties: { tree: { $ref: "#/$defs/Node" } }, $defs: { Node } })).toBe('{"tree": {"name": "example", "all": []}}');
    expect(exampleOf(readJson(JSON.stringify({ $ref: "#/$defs/L", $defs: { L: { properties: { l: { $ref: "#/$defs/L" } }, required: ["l"] } } })) ?? null, "all")).toEqual({});
  });

  test("stays small where a schema asks for the impossible", () => {
    const $defs: Record<string, object> = { d30: { type: "integer" } };
    for (let i = 0; i < 30; i++) $defs[`d${i}`] = { type: "object", properties: { a: { $ref: `#/$defs/d${i + 1}` }, b: { $ref: `#/$defs/d${i + 1}` } }, required: ["a", "b"] };
    const started = performance.now();
    exampleJson(readJson(JSON.stringify({ $ref: "#/$defs/d0", $defs })) ?? null, "all");
    exampleJson(readJson(JSON.stringify({ properties: { x: { type: "array", minItems: 1e9 }, y: { type: "string", minLength: 1e9 }, z: { minProperties: 1e9 } } })) ?? null, "all");
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(["false", "true", "null", '{"type": "array"}'].map((each) => exampleJson(readJson(each) ?? null, "all"))).toEqual(Array(4).fill("{}"));
  });
});
