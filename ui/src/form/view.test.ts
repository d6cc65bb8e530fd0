import { describe, expect, test } from "vitest";
import { parseJson } from "../json/parse";
import { type JsonValue, readJson } from "../json/value";
import { branchOf, couldBe } from "./branches";
import { furtherMember, isFreeForm, isOptional, isRemovable, itemsOf, membersOf, rootField, takesMore } from "./fields";
import { optionText } from "./options";
import { type View, viewOf } from "./view";
import { limitWords, placeholderText, typeWord } from "./words";

function json(value: unknown): JsonValue {
  return readJson(JSON.stringify(value)) ?? null;
}

function view(schema: unknown, root: unknown = schema, value?: unknown): View {
  return viewOf(json(schema), json(root), value === undefined ? undefined : json(value));
}

function options({ shape }: View): readonly string[] {
  return shape.kind === "choice" ? shape.options.map(optionText) : [];
}

function labels({ shape }: View): readonly string[] {
  return shape.kind === "union" ? shape.branches.map(({ label }) => label) : [];
}

describe("a place is shown by its type", () => {
  test("plain types", () => {
    expect(view({ type: "string" }).shape).toEqual({ kind: "text" });
    expect(view({ type: "integer" }).shape).toEqual({ kind: "number", isWhole: true });
    expect(view({ type: "number" }).shape).toEqual({ kind: "number", isWhole: false });
    for (const kind of ["boolean", "object", "array", "null"]) expect(view({ type: kind }).shape.kind).toBe(kind);
  });

  test("base64 is a file", () => {
    expect(view({ type: "string", contentEncoding: "base64" }).shape.kind).toBe("file");
    expect(view({ type: "string", format: "byte" }).shape.kind).toBe("file");
    expect(view({ type: "string", contentEncoding: "quoted-printable" }).shape.kind).toBe("text");
  });

  test("a type that is not named is read from the keywords", () => {
    expect(view({ properties: {} }).shape.kind).toBe("object");
    expect(view({ prefixItems: [] }).shape.kind).toBe("array");
    expect(view({ pattern: "a" }).shape.kind).toBe("text");
    expect(view({ minimum: 1 }).shape.kind).toBe("number");
  });

  test("where the schema says nothing every type can be chosen", () => {
    const any = view({});
    expect(any).toMatchObject({ isNullable: true, shape: { kind: "union", isOpen: true } });
    expect(labels(any)).toEqual(["Text", "Number", "True or false", "Object", "List"]);
    expect(view(true).shape.kind).toBe("union");
    expect(typeWord(any)).toBe("any");
  });

  test("what allows nothing, and what is no schema", () => {
    expect(view(false).shape.kind).toBe("never");
    expect(view({ not: {} }).shape.kind).toBe("never");
    expect(view({ anyOf: [false] }).shape.kind).toBe("never");
    expect(view({ type: "objekt" }).shape.kind).toBe("json");
    const endless: Record<string, unknown> = {};
    let inner = endless;
    for (let i = 0; i < 12; i++) inner = (inner["anyOf"] = [{}, { type: "null" }] as [Record<string, unknown>, object])[0];
    inner["type"] = "string";
    expect(view(endless).shape.kind).toBe("json");
  });
});

describe("null", () => {
  test("beside a type it is an extra, in a choice it is a choice", () => {
    expect(view({ type: ["string", "null"] })).toMatchObject({ shape: { kind: "text" }, isNullable: true });
    expect(view({ type: "null" })).toMatchObject({ shape: { kind: "null" }, isNullable: false });
    expect(view({ anyOf: [{ type: "null" }, { type: "integer" }] })).toMatchObject({ shape: { kind: "number", isWhole: true }, isNullable: true });
    expect(options(view({ type: ["string", "null"], enum: ["a", null] }))).toEqual(["a", "null"]);
    // The type allows null, the choice does not.
    expect(options(view({ type: ["string", "null"], enum: ["a"] }))).toEqual(["a"]);
    expect(view({ type: "string", anyOf: [{ minLength: 2 }, { type: "null" }] })).toMatchObject({ shape: { kind: "text" }, isNullable: false });
  });
});

describe("choices", () => {
  test("members of any type, told apart by their quotes", () => {
    expect(options(view({ enum: ["low", 1, "1", 2.5, null, true, "null", "", " x", { a: 1 }] }))).toEqual([
      "low", "1", '"1"', "2.5", "null", "true", '"null"', '""', '" x"', '{"a": 1}',
    ]);
    expect(options(view({ enum: [1, 1.0, "a", "a"] }))).toEqual(["1", "a"]);
    expect(options(view({ type: "string", enum: ["a", 1] }))).toEqual(["a"]);
    expect(options(view({ const: 12 }))).toEqual(["12"]);
    expect(typeWord(view({ const: 12 }))).toBe("constant");
  });

  test("numbers keep their spelling", () => {
    const schema = readJson('{"enum": [1.0, 12345678901234567890]}') ?? null;
    expect(options(viewOf(schema, schema))).toEqual(["1.0", "12345678901234567890"]);
  });

  test("a union of constants is one choice, with their titles", () => {
    expect(options(view({ oneOf: [{ const: 1, title: "One" }, { const: 2, title: "Two" }, { const: 3 }] }))).toEqual(["One (1)", "Two (2)", "3"]);
    expect(options(view({ anyOf: [{ enum: ["a", "b"] }, { const: "c" }, { type: "null" }] }))).toEqual(["a", "b", "c", "null"]);
    expect(options(view({ enum: [1, 2], enumNames: ["One", "Two"] }))).toEqual(["One (1)", "Two (2)"]);
  });
});

describe("unions", () => {
  test("branches are named by what tells them apart", () => {
    const kinds = { oneOf: [{ properties: { kind: { const: "email" } } }, { properties: { kind: { enum: ["sms"] } } }] };
    expect(labels(view(kinds))).toEqual(["email", "sms"]);
    expect(labels(view({ anyOf: [{ type: "string", title: "Name" }, { type: "integer" }] }))).toEqual(["Name", "Whole number"]);
    expect(labels(view({ anyOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }], $defs: { Cat: { type: "object" }, Dog: { type: "object" } } }))).toEqual(["Cat", "Dog"]);
    expect(labels(view({ properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] }))).toEqual(["With a", "With b"]);
    expect(labels(view({ type: ["string", "array"], items: { type: "integer" } }))).toEqual(["Text", "integer[]"]);
    expect(labels(view({ anyOf: [{ type: "string", format: "date" }, { type: "string", format: "email" }] }))).toEqual(["Text, date", "Text, email"]);
    expect(labels(view({ anyOf: [{ type: "string" }, { type: "string", minLength: 3 }] }))).toEqual(["Text (1)", "Text (2)"]);
  });

  test("an OpenAPI discriminator names the branches and fixes their tag", () => {
    const schema = {
      oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }],
      discriminator: { propertyName: "pet", mapping: { meow: "#/$defs/Cat" } },
      $defs: { Cat: { type: "object", properties: { pet: { type: "string" } } }, Dog: { type: "object", properties: { pet: { type: "string" } } } },
    };
    expect(labels(view(schema))).toEqual(["meow", "Dog"]);
    const { shape } = view(schema);
    const cat = shape.kind === "union" ? shape.branches[0]?.schema : undefined;
    expect(cat?.["required"]).toEqual(["pet"]);
  });

  test("the branch is the one that accepts the value, else the nearest", () => {
    const schema = json({
      oneOf: [
        { type: "object", properties: { kind: { const: "email" }, address: { type: "string" } }, required: ["kind", "address"] },
        { type: "object", properties: { kind: { const: "sms" }, phone: { type: "string" } }, required: ["kind", "phone"] },
        { type: "string" },
        { type: "array", items: { type: "integer" } },
      ],
    });
    const { shape } = viewOf(schema, schema);
    const branches = shape.kind === "union" ? shape.branches : [];
    const chosen = (value: unknown): number => branchOf(branches, json(value), schema);
    expect(chosen({ kind: "sms", phone: "1" })).toBe(1);
    expect(chosen({ kind: "sms", phone: 1 })).toBe(1);
    expect(chosen({ kind: "sms" })).toBe(1);
    expect(chosen({ phone: "1" })).toBe(1);
    expect(chosen({})).toBe(0);
    expect(chosen("x")).toBe(2);
    expect(chosen([1])).toBe(3);
    expect(couldBe(branches, 0, json({ kind: "sms" }), schema)).toBe(false);
    expect(couldBe(branches, 0, json({ address: 5 }), schema)).toBe(true);
    expect(couldBe(branches, 0, json({ address: "a", more: 5 }), schema)).toBe(true);
    // A member of another branch alone, in a branch that would let it pass.
    expect(couldBe(branches, 0, json({ phone: "1" }), schema)).toBe(false);
    expect(couldBe(branches, 9, json({}), schema)).toBe(false);
  });
});

describe("members and items", () => {
  const names = (schema: unknown, text: string): readonly string[] => {
    const parsed = parseJson(text);
    const own = viewOf(json(schema), json(schema)).schema;
    return membersOf(own, parsed.ok ? parsed.root : undefined, []).map(({ name, role, node }) => `${name} ${role}${node ? "" : ", absent"}`);
  };

  test("the schema's members come in its order, present or not, then all others", () => {
    expect(names({ properties: { b: {}, a: {} }, required: ["ghost"] }, '{"x": 1, "a": 2}')).toEqual([
      "b property, absent", "a property", "ghost property, absent", "x other",
    ]);
  });

  test("others have the schema of their pattern, or of all others", () => {
    const parsed = parseJson('{"x1": 1, "y": 2}');
    const own = view({ patternProperties: { "^x": { type: "integer" } }, additionalProperties: false }).schema;
    expect(membersOf(own, parsed.ok ? parsed.root : undefined, []).map(({ schema }) => schema)).toEqual([{ type: "integer" }, false]);
  });

  test("who may be left out, who may be removed", () => {
    const parsed = parseJson('{"a": 1, "b": 2, "c": 3}');
    const own = view({ properties: { a: {}, b: {} }, required: ["a"] }).schema;
    const fields = membersOf(own, parsed.ok ? parsed.root : undefined, []);
    expect(fields.map(isOptional)).toEqual([false, true, false]);
    expect(fields.map(isRemovable)).toEqual([false, true, true]);
    expect(parsed.ok && isRemovable(rootField({}, parsed.root))).toBe(false);
  });

  test("whether further members are invited", () => {
    expect(furtherMember(view({ type: "object" }).schema)).toEqual({});
    expect(furtherMember(view({ properties: { a: {} } }).schema)).toBeNull();
    expect(furtherMember(view({ properties: { a: {} }, additionalProperties: { type: "string" } }).schema)).toEqual({ type: "string" });
    expect(furtherMember(view({ additionalProperties: false, type: "object" }).schema)).toBeNull();
    expect(furtherMember(view({ patternProperties: { x: { type: "null" } }, additionalProperties: false }).schema)).toEqual({ type: "null" });
    expect(isFreeForm(view({ type: "object", additionalProperties: {} }).schema)).toBe(true);
    expect(isFreeForm(view({ type: "object", additionalProperties: { type: "string" } }).schema)).toBe(false);
  });

  test("a tuple has a schema for each item and an end", () => {
    const own = view({ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false }).schema;
    const parsed = parseJson('["a", 1, 2]');
    expect(itemsOf(own, parsed.ok ? parsed.root : undefined, ["t"]).map(({ name, path, schema }) => [name, path, schema])).toEqual([
      ["1", ["t", 0], { type: "string" }], ["2", ["t", 1], { type: "integer" }], ["3", ["t", 2], false],
    ]);
    expect([0, 1, 2].map((count) => takesMore(own, count))).toEqual([true, true, false]);
    expect(takesMore(view({ type: "array", maxItems: 1 }).schema, 1)).toBe(false);
  });
});

test("recursion is shown one level at a time", () => {
  const root = { $ref: "#/$defs/Node", $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } } };
  const own = view(root, root).schema;
  const [next] = membersOf(own, undefined, []);
  expect(next && viewOf(next.schema, json(root)).shape.kind).toBe("object");
});

test("an empty field says what happens or how a value looks", () => {
  const text = (schema: unknown, isNull = false): string => placeholderText(view(schema).schema, isNull);
  expect(text({ type: "string", default: "Oslo" })).toBe("default: Oslo");
  expect(text({ type: "string", default: "" })).toBe('default: ""');
  expect(text({ type: "integer", examples: [7] })).toBe("for example 7");
  expect(text({ type: "string", format: "date" })).toBe("for example 2026-01-31");
  expect(text({ type: "string" })).toBe("");
  expect(text({ type: "string", default: "x" }, true)).toBe("null");
});

test("limits in a few words", () => {
  expect(limitWords(view({ minimum: 1, exclusiveMaximum: 14, multipleOf: 0.5 }).schema)).toEqual(["≥ 1", "< 14", "multiple of 0.5"]);
  expect(limitWords(view({ type: "array", minItems: 1, uniqueItems: true }).schema)).toEqual(["at least 1 item", "no item twice"]);
  expect(limitWords(view({ type: "string", pattern: "^a$", maxLength: 3 }).schema)).toEqual(["at most 3 characters", "like ^a$"]);
});
