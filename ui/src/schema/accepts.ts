import { isSame, keyOf } from "../json/equal";
import { type JsonObject, type JsonValue, isArray, isObject, member } from "../json/value";
import { once } from "../once";
import { isFormat } from "./formats";
import { asNumber, asSchema, boundOf, isInteger, isNumber, stringList, typesOf } from "./keywords";
import { matchesPattern } from "./pattern";
import { lookUp } from "./resolve";

/** Steps in one question; a schema can be made to ask for any number of them. */
const MAX_STEPS = 20_000;
const MAX_DEPTH = 120;

/**
 * Would this value probably be valid?
 *
 * For choosing: the branch of a union that a value means, an example that is
 * worth showing. The verdict that the page shows is the server's. What this
 * does not know, it accepts; so does it what it has no time for.
 */
export function accepts(schema: JsonValue | undefined, value: JsonValue, root: JsonValue, effort = newEffort()): boolean {
  return new Judge(root, effort).accepts(schema, value, 0);
}

/** The steps that are left, for one question or for several that belong together. */
export interface Effort {
  left: number;
}

export function newEffort(questions = 1): Effort {
  return { left: questions * MAX_STEPS };
}

class Judge {
  constructor(private readonly root: JsonValue, private readonly effort: Effort) {}

  accepts(schema: JsonValue | undefined, value: JsonValue, depth: number): boolean {
    if (schema === false) return false;
    if (!isObject(schema)) return true;
    this.effort.left -= 1 + costOf(schema, value);
    if (this.effort.left <= 0 || depth > MAX_DEPTH) return true;
    const below = (part: JsonValue | undefined, each: JsonValue = value): boolean =>
      this.accepts(part, each, depth + 1);
    return (
      this.reference(schema, below) &&
      isOfType(schema, value) &&
      isAmongChoices(schema, value) &&
      this.combinations(schema, below) &&
      (typeof value !== "string" || fitsText(schema, value)) &&
      (!isNumber(value) || fitsNumber(schema, asNumber(value) ?? 0)) &&
      (!isArray(value) || fitsArray(schema, value, below)) &&
      (!isObject(value) || fitsObject(schema, value, below))
    );
  }

  private reference(schema: JsonObject, below: Below): boolean {
    return ["$ref", "$dynamicRef"].every((key) => {
      const ref = schema[key];
      const target = typeof ref === "string" ? lookUp(this.root, ref) : undefined;
      return target === undefined || below(target);
    });
  }

  private combinations(schema: JsonObject, below: Below): boolean {
    const { anyOf, oneOf, allOf, not, if: condition, then, else: otherwise } = schema;
    if (isArray(allOf) && !allOf.every((each) => below(each))) return false;
    if (isArray(anyOf) && !anyOf.some((each) => below(each))) return false;
    if (isArray(oneOf) && oneOf.filter((each) => below(each)).length !== 1) return false;
    if (not !== undefined && below(not)) return false;
    return condition === undefined || below(below(condition) ? then : otherwise);
  }
}

/** What is compared one by one, in steps: to look into a schema takes longer. */
function costOf({ type, enum: choices, required, dependentRequired: needed }: JsonObject, value: JsonValue): number {
  const lists = [type, choices, required, value].filter(isArray);
  const length = typeof value === "string" ? value.length : 0;
  const names = [needed, value].filter(isObject).reduce((sum, each) => sum + Object.keys(each).length, 0);
  return lists.reduce((sum, each) => sum + each.length, length + 8 * names) >> 3;
}

type Below = (schema: JsonValue | undefined, value?: JsonValue) => boolean;

export function isOfType(schema: JsonObject, value: JsonValue): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.some((type) => hasType(type, value));
}

const TYPES: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  null: (value) => value === null,
  array: isArray,
  object: isObject,
  number: isNumber,
  integer: (value) => isNumber(value) && isInteger(value),
};

function hasType(type: string, value: JsonValue): boolean {
  const check = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  return check ? check(value) : typeof value === type;
}

function isAmongChoices(schema: JsonObject, value: JsonValue): boolean {
  const { const: only, enum: choices } = schema;
  if (only !== undefined && !isSame(only, value)) return false;
  return !isArray(choices) || choices.some((each) => isSame(each, value));
}

function within(schema: JsonObject, low: string, high: string, size: number): boolean {
  return size >= (boundOf(schema, low) ?? 0) && size <= (boundOf(schema, high) ?? Infinity);
}

function fitsText(schema: JsonObject, value: string): boolean {
  const { pattern, format } = schema;
  if (!within(schema, "minLength", "maxLength", [...value].length)) return false;
  if (typeof pattern === "string" && !matchesPattern(pattern, value)) return false;
  return typeof format !== "string" || isFormat(format, value);
}

function fitsNumber(schema: JsonObject, value: number): boolean {
  const step = boundOf(schema, "multipleOf");
  if (value < (boundOf(schema, "minimum") ?? -Infinity)) return false;
  if (value > (boundOf(schema, "maximum") ?? Infinity)) return false;
  if (value <= (boundOf(schema, "exclusiveMinimum") ?? -Infinity)) return false;
  if (value >= (boundOf(schema, "exclusiveMaximum") ?? Infinity)) return false;
  // Draft 4 wrote the exclusive bounds as a flag beside the bound.
  if (schema["exclusiveMinimum"] === true && value === boundOf(schema, "minimum")) return false;
  if (schema["exclusiveMaximum"] === true && value === boundOf(schema, "maximum")) return false;
  if (step === undefined || step <= 0) return true;
  const times = value / step;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

function fitsArray(schema: JsonObject, value: readonly JsonValue[], below: Below): boolean {
  const { prefix, rest } = itemSchemas(schema);
  if (!within(schema, "minItems", "maxItems", value.length)) return false;
  if (schema["uniqueItems"] === true && new Set(value.map(keyOf)).size < value.length) return false;
  if (!value.every((each, index) => below(index < prefix.length ? prefix[index] : rest, each))) return false;
  const { contains } = schema;
  if (contains === undefined) return true;
  const count = value.filter((each) => below(contains, each)).length;
  return count >= (boundOf(schema, "minContains") ?? 1) && count <= (boundOf(schema, "maxContains") ?? Infinity);
}

/** The schemas of the first items and of all others, in either dialect. */
export function itemSchemas(schema: JsonObject): { prefix: readonly JsonValue[]; rest: JsonValue | undefined } {
  const { items, prefixItems, additionalItems } = schema;
  if (isArray(prefixItems)) return { prefix: prefixItems, rest: items };
  return isArray(items) ? { prefix: items, rest: additionalItems } : { prefix: [], rest: items };
}

function fitsObject(schema: JsonObject, value: JsonObject, below: Below): boolean {
  const keys = Object.keys(value);
  if (!within(schema, "minProperties", "maxProperties", keys.length)) return false;
  if (!stringList(schema["required"]).every((key) => Object.hasOwn(value, key))) return false;
  if (schema["propertyNames"] !== undefined && !keys.every((key) => below(schema["propertyNames"], key))) return false;
  for (const [key, needed] of Object.entries(asSchema(schema["dependentRequired"]))) {
    if (Object.hasOwn(value, key) && !stringList(needed).every((each) => Object.hasOwn(value, each))) return false;
  }
  for (const [key, part] of Object.entries(asSchema(schema["dependentSchemas"]))) {
    if (Object.hasOwn(value, key) && !below(part)) return false;
  }
  const own = IN_PLACE.some((key) => schema[key] !== undefined) ? { ...schema, unevaluatedProperties: undefined } : schema;
  return keys.every((key) => schemasOfMember(own, key).every((part) => below(part, value[key] ?? null)));
}

/** Where these stand, more may be evaluated than one can see from here. */
const IN_PLACE = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"];

/** Patterns of names that one object is looked through for. */
const MAX_PATTERNS = 100;
export const patternsOf = once((patterns: JsonObject) => Object.entries(patterns).slice(0, MAX_PATTERNS));

/** Everything that an object's schema asks of the member of this name. */
export function schemasOfMember(schema: JsonObject, key: string): readonly JsonValue[] {
  const own = member(asSchema(schema["properties"]), key);
  const patterns = patternsOf(asSchema(schema["patternProperties"]));
  const named = [
    ...(own === undefined ? [] : [own]),
    ...patterns.flatMap(([pattern, part]) => (part !== undefined && matchesPattern(pattern, key) ? [part] : [])),
  ];
  if (named.length > 0) return named;
  const others = schema["additionalProperties"] ?? schema["unevaluatedProperties"];
  return others === undefined ? [] : [others];
}
