import { describe, expect, test } from "vitest";
import { nodeAt, removeAt, setAt } from "../json/edit";
import { type JsonNode, parseJson } from "../json/parse";
import { type JsonValue, readJson, writeJson } from "../json/value";
import { accepts } from "../schema/accepts";
import { placeholder, skeleton } from "../schema/skeleton";
import { branchOf } from "./branches";
import { isFreeForm, membersOf } from "./fields";
import { optionText } from "./options";
import { fieldProblems } from "./problems";
import { placesOf } from "../../tests/places";
import { viewOf } from "./view";
import { issueProblems } from "../editor/diagnostics";

function json(value: unknown): JsonValue {
  return readJson(JSON.stringify(value)) ?? null;
}

function rootOf(text: string): JsonNode {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.root;
}

describe("C28 a nullable enum", () => {
  const schema = json({
    type: "object",
    properties: {
      direction: { anyOf: [{ type: "string", enum: ["send", "receive"] }, { type: "null" }] },
      role: { anyOf: [{ $ref: "#/$defs/Role" }, { type: "null" }], default: null },
    },
    $defs: { Role: { type: "string", enum: ["admin", "guest"] } },
  });

  test("C28 is a list of its values, also through a reference", () => {
    const options = membersOf(viewOf(schema, schema).schema, undefined, []).map(({ schema: part }) => {
      const { shape } = viewOf(part, schema);
      return shape.kind === "choice" ? shape.options.map(optionText) : [];
    });
    expect(options).toEqual([["send", "receive", "null"], ["admin", "guest", "null"]]);
  });

  test("C28 is sent as chosen, and not at all when it is cleared", () => {
    const start = skeleton(schema);
    expect(start).toBe("{}");
    const chosen = setAt(start, ["direction"], writeJson("send"), ["direction", "role"]);
    expect(JSON.parse(chosen)).toEqual({ direction: "send" });
    expect(removeAt(chosen, ["direction"])).toBe("{}");
  });
});

describe("C29 an object without named members", () => {
  const schema = json({
    type: "object",
    properties: {
      config: { type: "object", additionalProperties: true },
      params: { anyOf: [{ type: "object", additionalProperties: true }, { type: "null" }], default: null },
    },
    required: ["config"],
  });

  test("C29 is written as JSON and sent as an object", () => {
    for (const { schema: part } of membersOf(viewOf(schema, schema).schema, undefined, [])) {
      const { shape, schema: own } = viewOf(part, schema);
      expect(shape.kind).toBe("object");
      expect(isFreeForm(own)).toBe(true);
    }
    const typed = setAt(setAt(skeleton(schema), ["config"], '{"a": 1}'), ["params"], '{"a": 1}');
    expect(JSON.parse(typed)).toEqual({ config: { a: 1 }, params: { a: 1 } });
  });
});

describe("C32 a union of objects at the root", () => {
  const branch = (kind: string, member: string): object => ({
    properties: { kind: { const: kind }, [member]: { type: "string" } }, required: ["kind", member],
  });
  const schema = json({ type: "object", anyOf: [branch("email", "address"), branch("sms", "phone")] });
  const { shape } = viewOf(schema, schema);
  const branches = shape.kind === "union" ? shape.branches : [];

  test("C32 has a chooser and the members of the chosen branch", () => {
    expect(branches.map(({ label }) => label)).toEqual(["email", "sms"]);
    const shown = (text: string): readonly string[] => placesOf(schema, rootOf(text)).map(({ field }) => field.path.join("/"));
    expect(shown('{"kind": "email", "address": ""}')).toEqual(["", "kind", "address"]);
    expect(shown('{"kind": "sms"}')).toEqual(["", "kind", "phone"]);
  });

  test("C32 the payload of the chosen branch is valid", () => {
    const start = writeJson(placeholder(branches[1]?.schema, schema));
    const typed = setAt(start, ["phone"], '"1"');
    expect(JSON.parse(typed)).toEqual({ kind: "sms", phone: "1" });
    expect(accepts(schema, readJson(typed) ?? null, schema)).toBe(true);
    expect(branchOf(branches, readJson(typed) ?? null, schema)).toBe(1);
  });

  test("C32 the verdict on nothing is shown at the root", () => {
    const text = "{}";
    const issue = { path: "", message: "m", keyword: "anyOf", hint: null, causes: [] };
    const problems = fieldProblems(issueProblems(text, parseJson(text), [issue]));
    expect(problems.at([]).map(({ issue: { keyword } }) => keyword)).toEqual(["anyOf"]);
  });
});

describe("problems find their place", () => {
  const issue = (path: string, causes: readonly object[] = []) =>
    ({ path, message: path, keyword: "type", hint: null, causes }) as never;
  const text = '{"a": {"b~": {"c/": 1}}, "l": [1, 2]}';
  const at = (paths: readonly string[]) => fieldProblems(issueProblems(text, parseJson(text), paths.map((each) => issue(each))));

  test("at the place itself, with slashes and tildes in names", () => {
    const problems = at(["/a/b~0/c~1", "/l/1", "/missing"]);
    expect(problems.at(["a", "b~", "c/"])).toHaveLength(1);
    expect(problems.at(["l", 1])).toHaveLength(1);
    expect(problems.at(["missing"])).toHaveLength(1);
    expect(problems.at([])).toHaveLength(0);
  });

  test("inside a place, and those that none of its parts shows", () => {
    const problems = at(["/a/b~0/c~1", "/a/x", "/ab"]);
    expect(problems.below(["a"])).toHaveLength(2);
    expect(problems.stray(["a"], new Set(["b~0"])).map(({ issue: { path } }) => path)).toEqual(["/a/x"]);
  });

  test("the causes of a union stand at their own places too", () => {
    const problems = fieldProblems(issueProblems(text, parseJson(text), [issue("/a", [issue("/a/b~0")])]));
    expect(problems.at(["a"])).toHaveLength(1);
    expect(problems.at(["a", "b~"])).toHaveLength(1);
  });
});

test("an edit in the form keeps big integers, 1.0 and the order of keys in everything else", () => {
  const text = '{"z": 1.0, "n": 12345678901234567890, "a": {"e": 1E5, "u": "\\u00e9"}}';
  const edited = setAt(text, ["a", "new"], "true", ["e", "new", "u"]);
  expect(edited).toBe('{"z": 1.0, "n": 12345678901234567890, "a": {"e": 1E5, "new": true, "u": "\\u00e9"}}');
  expect(nodeAt(rootOf(edited), ["n"])).toMatchObject({ raw: "12345678901234567890" });
});
