import type { JsonObject, JsonValue } from "../json/value";
import { writeJson } from "../json/value";
import { visibleText } from "../names";
import { sampleOf } from "../schema/formats";
import { asSchema } from "../schema/keywords";
import type { Shape, View } from "./view";

/** A short word for the type, to stand beside a name. */
export function typeWord({ schema, shape, isNullable }: View): string {
  const word = shapeWord(schema, shape);
  return isNullable && word !== "any" ? `${word} or null` : word;
}

function shapeWord(schema: JsonObject, shape: Shape): string {
  const { format } = schema;
  switch (shape.kind) {
    case "text":
      return typeof format === "string" ? visibleText(format) : "string";
    case "file":
      return "file, base64";
    case "number":
      return shape.isWhole ? "integer" : "number";
    case "choice":
      return shape.options.length === 1 ? "constant" : "choice";
    case "object":
      return Object.keys(asSchema(schema["properties"])).length === 0 ? "map" : "object";
    case "array":
      return "list";
    case "union":
      return shape.isOpen ? "any" : `${shape.branches.length} kinds`;
    case "json":
      return "JSON";
    default:
      return shape.kind;
  }
}

/** What stands in an empty field: what happens when it stays empty, or how a value looks. */
export function placeholderText(schema: JsonObject, isNull: boolean): string {
  if (isNull) return "null";
  if (schema["default"] !== undefined) return `default: ${brief(schema["default"])}`;
  const examples = schema["examples"];
  const example = Array.isArray(examples) ? (examples[0] as JsonValue | undefined) : schema["example"];
  if (example !== undefined) return `for example ${brief(example)}`;
  const { format } = schema;
  const sample = typeof format === "string" ? sampleOf(format) : undefined;
  return sample === undefined ? "" : `for example ${sample}`;
}

function brief(value: JsonValue): string {
  const text = typeof value === "string" && value !== "" ? value : writeJson(value, "", "");
  return visibleText(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

const BOUNDS: readonly (readonly [string, string])[] = [
  ["minimum", "≥ "], ["exclusiveMinimum", "> "], ["maximum", "≤ "], ["exclusiveMaximum", "< "],
  ["multipleOf", "multiple of "], ["minLength", "at least %s character"], ["maxLength", "at most %s character"],
  ["minItems", "at least %s item"], ["maxItems", "at most %s item"],
  ["minProperties", "at least %s member"], ["maxProperties", "at most %s member"],
];

/** The limits of a place, each in a few words. */
export function limitWords(schema: JsonObject): readonly string[] {
  const words = BOUNDS.flatMap(([key, word]) => {
    const bound = schema[key];
    if (bound === undefined || typeof bound === "boolean") return [];
    const text = writeJson(bound, "", "");
    if (!word.includes("%s")) return [word + text];
    return [word.replace("%s", text) + (text === "1" ? "" : "s")];
  });
  if (schema["uniqueItems"] === true) words.push("no item twice");
  const { pattern } = schema;
  return typeof pattern === "string" ? [...words, `like ${visibleText(pattern)}`] : words;
}
