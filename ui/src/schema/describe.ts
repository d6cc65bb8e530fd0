import { type JsonObject, type JsonValue, isArray, isObject, member, writeJson } from "../json/value";
import { asSchema, stringList, typesOf } from "./keywords";
import { resolve } from "./resolve";

/** What a row is called and which part of the schema it describes. */
export interface Part {
  /** What stands before the type: a property name, "each item", "any of · 1". */
  readonly label: string;
  readonly kind: "property" | "part";
  readonly required: boolean;
  readonly schema: JsonValue | undefined;
}

/** What the schema says about one place, in words for a row of the table. */
export interface Row extends Omit<Part, "schema"> {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly facts: readonly Fact[];
  /** How many parts `childrenOf` will find below this one. */
  readonly children: number;
  readonly schema: JsonObject;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** Keywords shown as they stand; those with a place of their own are not here. */
const FACT_KEYWORDS: readonly string[] = [
  "const", "default", "format", "pattern", "minLength", "maxLength", "minimum",
  "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems",
  "uniqueItems", "minProperties", "maxProperties", "contentEncoding", "contentMediaType",
  "dependentRequired", "deprecated", "readOnly", "writeOnly", "examples",
];
const MAX_FACT_LENGTH = 400;
/** Values of a list that are written before the text of them is cut. */
const MAX_LISTED = 200;
/** Kinds whose types are named; of more their number says as much. */
const MAX_KINDS = 12;

/** Describe one schema; `$ref`s are followed and named. */
export function describe(part: Part, root: JsonValue): Row {
  const { schema: own, refs } = resolve(part.schema, root);
  const text = (key: string): string => (typeof own[key] === "string" ? own[key] : "");
  return {
    ...part,
    schema: own,
    type: part.schema === false ? "never" : typeText(own, root),
    title: text("title"),
    description: text("description"),
    facts: [...factsOf(own), ...refs.map((value) => ({ name: "$ref", value }))],
    children: childrenOf(own, root).length,
  };
}

/** The type in one line: `string`, `integer | null`, `string[]`, `one of 3`. */
export function typeText(schema: JsonObject, root: JsonValue, depth = 0): string {
  const options = schema["anyOf"] ?? schema["oneOf"];
  if (isArray(options) && depth < 3) {
    if (options.length > (depth === 0 ? MAX_KINDS : 4)) return `${isArray(schema["anyOf"]) ? "any" : "one"} of ${options.length}`;
    const types = options.map((each) => typeText(resolve(each, root).schema, root, depth + 1));
    const distinct = [...new Set(types)];
    if (distinct.length <= 4) return distinct.join(" | ");
    return `${isArray(schema["anyOf"]) ? "any" : "one"} of ${options.length}`;
  }
  const named = typesOf(schema).slice(0, MAX_KINDS);
  const types = named.map((each) => (each === "array" ? arrayText(schema, root, depth) : each));
  if (types.length > 0) return types.join(" | ");
  if (isArray(schema["enum"])) return "enum";
  if ("const" in schema) return "constant";
  if ("properties" in schema || "required" in schema) return "object";
  if ("items" in schema || "prefixItems" in schema) return arrayText(schema, root, depth);
  return "any";
}

function arrayText(schema: JsonObject, root: JsonValue, depth: number): string {
  if (!("items" in schema) || depth >= 3) return "array";
  const item = typeText(resolve(schema["items"], root).schema, root, depth + 1);
  return item.includes(" ") ? `(${item})[]` : `${item}[]`;
}

export function factsOf(schema: JsonObject): readonly Fact[] {
  const facts: Fact[] = FACT_KEYWORDS.filter((name) => name in schema).map((name) => ({
    name,
    value: shorten(factText(name, schema[name] ?? null)),
  }));
  const members = schema["enum"];
  if (isArray(members)) {
    facts.unshift({ name: "one of", value: shorten(members.slice(0, MAX_LISTED).map((m) => writeJson(m, "", "")).join(", ")) });
  }
  if (schema["additionalProperties"] === false || schema["unevaluatedProperties"] === false) {
    facts.push({ name: "other properties", value: "not allowed" });
  }
  return facts;
}

function factText(name: string, value: JsonValue): string {
  // A pattern reads best as its author wrote it, without the JSON escapes.
  if ((name === "pattern" || name === "format") && typeof value === "string") return value;
  return writeJson(isArray(value) ? value.slice(0, MAX_LISTED) : value, "", "");
}

function shorten(text: string): string {
  return text.length > MAX_FACT_LENGTH ? `${text.slice(0, MAX_FACT_LENGTH)}…` : text;
}

const LISTS = [["anyOf", "any of"], ["oneOf", "one of"], ["allOf", "all of"], ["prefixItems", "item"]] as const;
const SINGLES = [
  ["items", "each item"], ["additionalProperties", "other properties"],
  ["propertyNames", "property names"], ["contains", "contains"], ["not", "not"],
  ["if", "if"], ["then", "then"], ["else", "else"],
] as const;

/** The parts below a schema that have a row; one level at a time, so recursion never ends here. */
export function childrenOf(schema: JsonObject, root: JsonValue): readonly Part[] {
  const required = new Set(stringList(schema["required"]));
  const properties = asSchema(schema["properties"]);
  const names = [...new Set([...Object.keys(properties), ...required])];
  const parts: Part[] = names.map((label) => ({
    label, kind: "property", required: required.has(label), schema: member(properties, label),
  }));
  const add = (label: string, part: JsonValue | undefined): void => {
    parts.push({ label, kind: "part", required: false, schema: part });
  };
  for (const [keyword, label] of LISTS) {
    const list = schema[keyword];
    if (!isArray(list) || !list.some((each) => isTelling(each, root))) continue;
    list.forEach((part, index) => add(`${label} · ${index + 1}`, part));
  }
  for (const [keyword, label] of SINGLES) {
    if (isObject(schema[keyword]) && isTelling(schema[keyword], root)) add(label, schema[keyword]);
  }
  for (const [pattern, part] of Object.entries(asSchema(schema["patternProperties"]))) {
    add(`names like ${pattern}`, part);
  }
  return parts;
}

/** A part that only names a type is already told by the type of the row above. */
function isTelling(part: JsonValue, root: JsonValue): boolean {
  const { schema } = resolve(part, root);
  return Object.keys(schema).some((key) => key !== "type" && key !== "title");
}
