import type { Path } from "../json/edit";
import { type JsonObject, type JsonValue, isArray, isObject, member } from "../json/value";
import { patternsOf } from "./accepts";
import { asSchema } from "./keywords";
import { matchesPattern } from "./pattern";
import { pathOfRef, valueAt } from "./resolve";

/** A schema inside a schema, and how to get there from the root. */
export interface Reached {
  readonly path: readonly string[];
  readonly schema: JsonObject;
}

/** Schemas in one answer; references can double them without end. */
const MAX_REACHED = 400;
const LISTS = ["allOf", "anyOf", "oneOf"] as const;
const SINGLES = ["then", "else"] as const;

/**
 * Every schema that has a say at a place of the instance, in the order in
 * which a reader meets them: through references, unions and conditions.
 */
export function reach(root: JsonValue, instance: Path): readonly Reached[] {
  let here = spread(root, [[]]);
  for (const part of instance) {
    const below = here.flatMap((each) => childrenAt(each, part));
    here = spread(root, below);
  }
  return here;
}

/** The schemas at these paths and all that hold at the same place because of them. */
function spread(root: JsonValue, starts: readonly (readonly string[])[]): readonly Reached[] {
  const found = new Map<string, Reached>();
  const queue = [...starts];
  for (let path = queue.shift(); path && found.size < MAX_REACHED; path = queue.shift()) {
    const schema = valueAt(root, path);
    const id = JSON.stringify(path);
    if (!isObject(schema) || found.has(id)) continue;
    found.set(id, { path, schema });
    const own = path;
    queue.unshift(...inPlace(schema).slice(0, MAX_REACHED).map((more) => [...own, ...more]), ...targetsOf(root, schema));
  }
  return [...found.values()];
}

/** Where below a schema there are others for the same place. */
function inPlace(schema: JsonObject): readonly (readonly string[])[] {
  const lists = LISTS.flatMap((keyword) => {
    const list = schema[keyword];
    return isArray(list) ? list.slice(0, MAX_REACHED).map((_, index) => [keyword, String(index)]) : [];
  });
  const singles = SINGLES.filter((keyword) => isObject(schema[keyword])).map((keyword) => [keyword]);
  const dependent = schema["dependentSchemas"];
  const byKey = isObject(dependent) ? Object.keys(dependent).map((key) => ["dependentSchemas", key]) : [];
  return [...lists, ...singles, ...byKey];
}

function targetsOf(root: JsonValue, schema: JsonObject): readonly (readonly string[])[] {
  return ["$ref", "$dynamicRef"].flatMap((keyword) => {
    const ref = schema[keyword];
    if (typeof ref !== "string" || !isObject(root)) return [];
    const path = pathOfRef(root, ref);
    return path ? [path] : [];
  });
}

function childrenAt({ path, schema }: Reached, part: string | number): readonly (readonly string[])[] {
  const below = (...more: string[]): readonly string[] => [...path, ...more];
  if (typeof part === "number") {
    const { prefixItems, items } = schema;
    if (isArray(prefixItems) && part < prefixItems.length) return [below("prefixItems", String(part))];
    if (isArray(items)) {
      return part < items.length ? [below("items", String(part))] : [below("additionalItems")];
    }
    return items === undefined ? [] : [below("items")];
  }
  const found: (readonly string[])[] = [];
  if (member(schema["properties"], part) !== undefined) found.push(below("properties", part));
  for (const [pattern] of patternsOf(asSchema(schema["patternProperties"]))) {
    if (matchesPattern(pattern, part)) found.push(below("patternProperties", pattern));
  }
  if (found.length > 0) return found;
  return ["additionalProperties", "unevaluatedProperties"]
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => below(keyword));
}
