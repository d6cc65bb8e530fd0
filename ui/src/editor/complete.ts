import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  snippet,
} from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import { keyOf } from "../json/equal";
import { type JsonObject, type JsonValue, isArray, isObject, member, writeJson } from "../json/value";
import { visibleName, visibleText } from "../names";
import { effective } from "../schema/effective";
import { asSchema, stringList, typesOf } from "../schema/keywords";
import { typeText } from "../schema/describe";
import { type Reached, reach } from "../schema/reach";
import { placeholder } from "../schema/skeleton";
import { type Caret, caretIn } from "./caret";

const MAX_OPTIONS = 500;
/** Schemas of one place that a value is begun for. */
const MAX_STARTS = 50;

/** Names, values and whole parts that the schema knows for the place of the caret. */
export function completeFrom(root: JsonValue): CompletionSource {
  return (context: CompletionContext): CompletionResult | null => {
    const text = context.state.doc.toString();
    const caret = caretIn(text, context.pos);
    if (!caret || (caret.from === caret.to && !context.explicit)) return null;
    const options = completionsAt(root, caret, text);
    // Up to the caret only: a closing quote behind it would be taken for a typed character.
    return options.length === 0 ? null : { from: caret.from, options };
  };
}

/** The offers for one place; exported for the tests. */
export function completionsAt(root: JsonValue, caret: Caret, text: string): Completion[] {
  const reached = reach(root, caret.path);
  const made = caret.slot === "key" ? keyOptions(root, reached, caret, text) : valueOptions(root, reached);
  // In the order of the schema, where nothing else decides.
  return made.slice(0, MAX_OPTIONS).map((each, at) => ({ ...each, sortText: String(at).padStart(4, "0") }));
}

function keyOptions(root: JsonValue, reached: readonly Reached[], caret: Caret, text: string): Completion[] {
  const required = new Set(reached.flatMap(({ schema }) => stringList(schema["required"])));
  const parts = new Map<string, JsonValue>();
  for (const { schema } of reached) {
    for (const [name, part] of Object.entries(asSchema(schema["properties"]))) {
      if (!caret.keys.has(name) && !parts.has(name)) parts.set(name, part ?? {});
    }
  }
  for (const name of required) if (!caret.keys.has(name) && !parts.has(name)) parts.set(name, {});
  const behind = text.slice(caret.to);
  const hasColon = /^\s*:/.test(behind);
  const comma = /^\s*"/.test(behind) ? "," : "";
  return [...parts].slice(0, MAX_OPTIONS).map(([name, part]) => {
    const { schema } = effective(part, root);
    const key = JSON.stringify(name);
    const value = (): string => (hasColon ? "" : `: ${template(placeholder(part, root))}${comma}`);
    return {
      label: key,
      displayLabel: visibleName(name),
      detail: required.has(name) ? `${typeText(schema, root)}, required` : typeText(schema, root),
      boost: required.has(name) ? 2 : 0,
      type: "property",
      ...infoOf(schema),
      apply: applied(() => `${escaped(key)}${value()}`),
    };
  });
}

function valueOptions(root: JsonValue, reached: readonly Reached[]): Completion[] {
  const found = new Map<string, Completion>();
  const offer = (value: JsonValue, detail: string, boost: number, info: object = {}): void => {
    const key = keyOf(value);
    if (found.has(key) || found.size > MAX_OPTIONS) return;
    const json = writeJson(value, "", "");
    const isBig = isObject(value) || isArray(value);
    found.set(key, {
      label: json,
      detail,
      boost,
      type: isBig ? "class" : "constant",
      ...info,
      apply: applied(() => (isBig ? template(value) : escaped(json))),
    });
  };
  for (const { schema } of reached) {
    const { const: only, enum: choices, default: usual, examples } = schema;
    if (only !== undefined) offer(only, "", 3, infoOf(schema));
    for (const each of isArray(choices) ? choices.slice(0, MAX_OPTIONS) : []) offer(each, "", 2);
    if (usual !== undefined) offer(usual, "default", 1);
    for (const each of isArray(examples) ? examples.slice(0, MAX_OPTIONS) : []) offer(each, "example", 1);
  }
  for (const { schema, path } of reached.slice(0, MAX_STARTS)) {
    if (isArray(schema["enum"]) || schema["const"] !== undefined) continue;
    for (const type of typesOf(schema)) {
      for (const each of startsOf(type, schema, root)) offer(each, path.at(-2) === "anyOf" ? branchWord(schema) : "", -1);
    }
  }
  return [...found.values()];
}

function branchWord(schema: JsonObject): string {
  return typeof schema["title"] === "string" ? schema["title"] : "";
}

/** What a value of a type can begin as. */
function startsOf(type: string, schema: JsonObject, root: JsonValue): readonly JsonValue[] {
  switch (type) {
    case "boolean":
      return [true, false];
    case "null":
      return [null];
    case "string":
      return [""];
    case "object":
    case "array": {
      const made = placeholder({ ...schema, type }, root);
      return isObject(made) || isArray(made) ? [made] : [];
    }
    default:
      return [];
  }
}

function infoOf(schema: JsonObject): { info?: () => Node } {
  const text = member(schema, "description") ?? member(schema, "title");
  if (typeof text !== "string" || text === "") return {};
  return {
    info: () => {
      const box = document.createElement("div");
      // As text, never as markup: it is somebody else's.
      box.textContent = visibleText(text.length > 600 ? `${text.slice(0, 600)}…` : text);
      return box;
    },
  };
}

function applied(source: () => string): (view: EditorView, completion: Completion, from: number, to: number) => void {
  return (view, completion, from, to) => {
    const insert = snippet(source());
    const token = caretIn(view.state.doc.toString(), to);
    insert(view, completion, from, Math.max(to, token?.to ?? to));
  };
}

/** A value as a snippet: Tab goes from one leaf to the next. */
export function template(value: JsonValue, indent = ""): string {
  const inner = `${indent}\t`;
  if (isArray(value)) {
    if (value.length === 0) return "[${}]";
    return `[\n${value.map((each) => inner + template(each, inner)).join(",\n")}\n${indent}]`;
  }
  if (isObject(value)) {
    const members = Object.entries(value);
    if (members.length === 0) return "\\{${}\\}";
    const lines = members.map(([key, each]) => `${inner}${escaped(JSON.stringify(key))}: ${template(each ?? null, inner)}`);
    return `\\{\n${lines.join(",\n")}\n${indent}\\}`;
  }
  if (typeof value === "string") return `"\${${escaped(JSON.stringify(value).slice(1, -1))}}"`;
  return `\${${writeJson(value, "", "")}}`;
}

/** Braces mean something in a snippet. */
function escaped(text: string): string {
  return text.replace(/[{}]/g, "\\$&");
}
