import type { JsonNode } from "./parse";
import { parseJson } from "./parse";

/** A number whose spelling a JavaScript number would change. */
export class ExactNumber {
  constructor(readonly raw: string) {}
}

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | readonly JsonValue[]
  | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  );
}

export function isArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Own members only: a schema may well name a property "constructor". */
export function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Turn a parsed document into plain values; a repeated key keeps its last value. */
export function toValue(node: JsonNode): JsonValue {
  switch (node.kind) {
    case "object": {
      // No prototype, so that a key "__proto__" is a key like any other.
      const result = Object.create(null) as Record<string, JsonValue>;
      for (const { key, value } of node.members) result[key] = toValue(value);
      return result;
    }
    case "array":
      return node.items.map(toValue);
    case "number": {
      const value = Number(node.raw);
      return String(value) === node.raw ? value : new ExactNumber(node.raw);
    }
    case "null":
      return null;
    default:
      return node.value;
  }
}

/** Read text that ought to be JSON; `undefined` where it is not. */
export function readJson(text: string): JsonValue | undefined {
  const parsed = parseJson(text);
  return parsed.ok ? toValue(parsed.root) : undefined;
}

/** Write a value back, exact numbers in their own spelling. */
export function writeJson(value: JsonValue, indent = "", step = "  "): string {
  const inner = indent + step;
  const [open, between] = step === "" ? ["", ", "] : [`\n${inner}`, `,\n${inner}`];
  const close = step === "" ? "" : `\n${indent}`;
  if (value instanceof ExactNumber) return value.raw;
  if (isArray(value)) {
    if (value.length === 0) return "[]";
    return `[${open}${value.map((item) => writeJson(item, inner, step)).join(between)}${close}]`;
  }
  if (isObject(value)) {
    const members = Object.entries(value).filter(([, each]) => each !== undefined);
    if (members.length === 0) return "{}";
    const written = members.map(([key, each]) => `${JSON.stringify(key)}: ${writeJson(each ?? null, inner, step)}`);
    return `{${open}${written.join(between)}${close}}`;
  }
  return JSON.stringify(value);
}
