import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { readJson } from "../json/value";
import { caretIn } from "./caret";
import { completeFrom, completionsAt, template } from "./complete";

const SCHEMA = {
  type: "object",
  properties: {
    city: { type: "string", description: "<b>Where</b>", examples: ["Oslo"] },
    unit: { enum: ["C", "F", null] },
    days: { type: "integer", default: 3 },
    deep: { $ref: "#/$defs/Deep" },
    list: { type: "array", items: { anyOf: [{ const: 1 }, { type: "boolean" }] } },
    wish: { oneOf: [{ type: "object", properties: { kind: { const: "a" }, x: {} }, required: ["kind"] }, { type: "object", properties: { kind: { const: "b" } } }] },
  },
  required: ["city"],
  $defs: { Deep: { type: "object", properties: { inner: { type: "null" }, self: { $ref: "#/$defs/Deep" } } } },
};

/** What is offered at `|`, by label. */
function offered(marked: string, schema: object = SCHEMA): string[] {
  const place = marked.indexOf("|");
  const text = marked.slice(0, place) + marked.slice(place + 1);
  const caret = caretIn(text, place);
  return caret ? completionsAt(readJson(JSON.stringify(schema)) ?? null, caret, text).map(({ label }) => label) : [];
}

test("the names that are still free are offered, required ones first", () => {
  expect(offered('{"days": 1, "|"}')).toEqual(['"city"', '"unit"', '"deep"', '"list"', '"wish"']);
  expect(offered('{"deep": {"self": {"|')).toEqual(['"inner"', '"self"']);
  expect(offered('{"wish": {|')).toEqual(['"kind"', '"x"']);
  const caret = caretIn("{", 1);
  const [first] = caret ? completionsAt(readJson(JSON.stringify(SCHEMA)) ?? null, caret, "{") : [];
  expect(first).toMatchObject({ displayLabel: "city", detail: "string, required", boost: 2 });
});

test("values come from choices, constants, defaults, examples and types", () => {
  expect(offered('{"unit": |')).toEqual(['"C"', '"F"', "null"]);
  expect(offered('{"days": |')).toEqual(["3"]);
  expect(offered('{"city": |')).toEqual(['"Oslo"', '""']);
  expect(offered('{"list": [1, |')).toEqual(["1", "true", "false"]);
  expect(offered('{"list": |')).toEqual(["[]"]);
  expect(offered('{"wish": {"kind": |')).toEqual(['"a"', '"b"']);
  expect(offered('{"deep": {"inner": |')).toEqual(["null"]);
});

test("nothing is known of a place that the schema does not speak of", () => {
  expect(offered('{"unheard": |')).toEqual([]);
  expect(offered('{"city": "x" |}')).toEqual([]);
  expect(offered("{|", { anyOf: [{ $ref: "#" }] })).toEqual([]);
});

test("the offers open while typing, and on demand at an empty place", () => {
  const source = completeFrom(readJson(JSON.stringify(SCHEMA)) ?? null);
  const ask = (text: string, isExplicit: boolean) =>
    source(new CompletionContext(EditorState.create({ doc: text }), text.length, isExplicit));
  expect(ask("{", false)).toBeNull();
  expect(ask("{", true)).toMatchObject({ from: 1 });
  expect(ask('{"c', false)).toMatchObject({ from: 1 });
  expect(ask("{} ", true)).toBeNull();
});

test("a whole value is a snippet with a stop at each leaf", () => {
  const made = (json: string): string => template(readJson(json) ?? null);
  expect(made('{"a": "", "b": [1.0]}')).toBe('\\{\n\t"a": "${}",\n\t"b": [\n\t\t${1.0}\n\t]\n\\}');
  expect(made("{}")).toBe("\\{${}\\}");
  expect(made("[]")).toBe("[${}]");
  expect(made('{"{x}": "${y}"}')).toBe('\\{\n\t"\\{x\\}": "${$\\{y\\}}"\n\\}');
});
