import { type JsonObject, type JsonValue, isArray, isObject } from "../json/value";
import { isOfType } from "../schema/accepts";
import { effective, hasConditions } from "../schema/effective";
import { isFileFormat } from "../schema/formats";
import { join } from "../schema/join";
import { typesOf } from "../schema/keywords";
import { type Branch, labelled } from "./branches";
import { type Option, distinct, optionsOf, titled, withNull } from "./options";

/** What a place is edited with. */
export type Shape =
  | { readonly kind: "text" }
  | { readonly kind: "file" }
  | { readonly kind: "number"; readonly isWhole: boolean }
  | { readonly kind: "boolean" }
  | { readonly kind: "null" }
  | { readonly kind: "choice"; readonly options: readonly Option[] }
  | { readonly kind: "object" }
  | { readonly kind: "array" }
  /** `isOpen` where the schema says nothing, so that these are simply the types of JSON. */
  | { readonly kind: "union"; readonly branches: readonly Branch[]; readonly isOpen: boolean }
  /** The schema allows no value at all. */
  | { readonly kind: "never" }
  /** The schema contradicts itself or is none: only JSON will do. */
  | { readonly kind: "json" };

/** How one place is shown. */
export interface View {
  /** All that holds at the place, as one schema. */
  readonly schema: JsonObject;
  readonly shape: Shape;
  /** Whether `null` is allowed besides what the shape offers. */
  readonly isNullable: boolean;
  /** The references that led here. */
  readonly refs: readonly string[];
}

/** The type of what a shape's own control shows. */
export const TYPES: Partial<Record<Shape["kind"], "string" | "number" | "boolean" | "object" | "array" | "null">> = {
  text: "string", file: "string", number: "number", boolean: "boolean", object: "object", array: "array", null: "null",
};

/** Unions of unions of …: what is deeper is JSON. */
const MAX_DEPTH = 8;
const MAX_KINDS = 30_000;
/** Branches whose conditions are looked at anew with each value. */
const MAX_CONDITIONAL = 100;

/**
 * How to show a place, from its schema and from what stands there.
 *
 * One level only: what is below an object or a list is asked for when it is
 * shown, so a recursive schema ends where the value ends.
 */
export function viewOf(schema: JsonValue | undefined, root: JsonValue, value?: JsonValue): View {
  if (schema === false) return { schema: { not: {} }, shape: { kind: "never" }, isNullable: false, refs: [] };
  const key = isObject(schema) && !hasConditions(root) ? schema : null;
  const found = key && known.get(key);
  if (found?.root === root) return found.view;
  const { schema: own, refs } = effective(schema, root, value);
  const view = { ...classify(own, root, value, 0, { left: MAX_KINDS }), refs };
  if (key) known.set(key, { root, view });
  return view;
}

/** Where no value can make a difference, a view is made once: thousands of kinds take their time. */
const known = new WeakMap<JsonObject, { readonly root: JsonValue; readonly view: View }>();

type Seen = Omit<View, "refs">;

function classify(own: JsonObject, root: JsonValue, value: JsonValue | undefined, depth: number, kinds: { left: number }): Seen {
  const types = typesOf(own);
  const simple = (shape: Shape, isNullable = types.includes("null")): Seen => ({ schema: own, shape, isNullable });
  if (depth > MAX_DEPTH || kinds.left-- <= 0) return simple({ kind: "json" });
  if (isObject(own["not"]) && Object.keys(own["not"]).length === 0) return simple({ kind: "never" }, false);
  if (own["const"] !== undefined) return simple({ kind: "choice", options: optionsOf([own["const"]], own) }, false);
  if (isArray(own["enum"])) {
    const values = own["enum"].filter((each) => suits(types, each));
    return simple({ kind: "choice", options: optionsOf(values, own) }, false);
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const list = own[keyword];
    if (isArray(list) && list.length > 0) return union(own, keyword, list, root, value, depth, kinds);
  }
  const plain = types.filter((type) => type !== "null");
  if (plain.length > 1) {
    return simple({ kind: "union", isOpen: false, branches: labelled(plain.map((type) => only(own, type)), root) });
  }
  const type = plain[0] ?? (types.length > 0 ? "null" : impliedType(own));
  if (type === undefined) {
    return simple({ kind: "union", isOpen: true, branches: labelled(ANY.map((each) => only(own, each)), root) }, true);
  }
  return simple(shapeOfType(type, own), type !== "null" && types.includes("null"));
}

const ANY = ["string", "number", "boolean", "object", "array"] as const;

function only(own: JsonObject, type: string): { schema: JsonObject } {
  return { schema: { ...own, type } };
}

function shapeOfType(type: string, own: JsonObject): Shape {
  switch (type) {
    case "string":
      return isFile(own) ? { kind: "file" } : { kind: "text" };
    case "integer":
    case "number":
      return { kind: "number", isWhole: type === "integer" };
    case "boolean":
    case "null":
    case "object":
    case "array":
      return { kind: type };
    default:
      return { kind: "json" };
  }
}

function isFile(own: JsonObject): boolean {
  const { contentEncoding, format } = own;
  if (typeof contentEncoding === "string") return contentEncoding.toLowerCase() === "base64";
  return typeof format === "string" && isFileFormat(format);
}

/** A union becomes one control where it can: a choice of all the constants, or the only branch that is not `null`. */
function union(
  own: JsonObject,
  keyword: string,
  list: readonly JsonValue[],
  root: JsonValue,
  value: JsonValue | undefined,
  depth: number,
  kinds: { left: number },
): Seen {
  const { [keyword]: _, ...rest } = own;
  const given = list.length > MAX_CONDITIONAL ? undefined : value;
  const parts = list.filter((each) => each !== false).map((each) => ({ own: each, ...effective(each, root, given) }));
  const isNull = ({ schema }: (typeof parts)[number]): boolean =>
    schema["type"] === "null" || (schema["const"] === null && "const" in schema);
  const others = parts.filter((each) => !isNull(each));
  const isNullable = others.length < parts.length && suits(typesOf(rest), null);
  const choices = others.map(({ schema }) => classify(join(rest, schema), root, given, depth + 1, kinds));
  const [first] = choices;
  if (choices.length === 1 && first) {
    if (first.shape.kind !== "choice") return { ...first, isNullable: isNullable || first.isNullable };
    return { ...first, shape: { kind: "choice", options: withNull(first.shape.options, isNullable) } };
  }
  if (choices.length > 0 && choices.every(({ shape }) => shape.kind === "choice")) {
    const options = choices.flatMap(({ shape }, index) =>
      shape.kind === "choice" ? titled(shape.options, others[index]?.schema ?? {}) : [],
    );
    return { schema: own, shape: { kind: "choice", options: withNull(distinct(options), isNullable) }, isNullable: false };
  }
  const branches = others.map(({ own: written, schema }) => ({
    schema: join(wordsOf(schema), join(rest, schema)),
    written,
    own: schema,
  }));
  if (branches.length === 0) return { schema: own, shape: { kind: isNullable ? "null" : "never" }, isNullable: false };
  return { schema: own, shape: { kind: "union", isOpen: false, branches: labelled(branches, root, own) }, isNullable };
}

/** What a branch says of itself goes before what the whole says. */
function wordsOf(schema: JsonObject): JsonObject {
  const words = ["title", "description", "default", "examples"].filter((key) => schema[key] !== undefined);
  return Object.fromEntries(words.map((key) => [key, schema[key]]));
}

function suits(types: readonly string[], value: JsonValue): boolean {
  return isOfType({ type: types }, value);
}

/** The type that the keywords speak of, where the schema names none. */
function impliedType(own: JsonObject): string | undefined {
  const has = (...keys: string[]): boolean => keys.some((key) => own[key] !== undefined);
  if (has("properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties")) {
    return "object";
  }
  if (has("items", "prefixItems", "minItems", "maxItems", "contains", "uniqueItems")) return "array";
  if (has("minLength", "maxLength", "pattern", "format", "contentEncoding")) return "string";
  if (has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")) return "number";
  return undefined;
}
