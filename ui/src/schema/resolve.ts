import { type JsonObject, type JsonValue, isArray, isObject, member } from "../json/value";
import { arrayIndex, parsePointer } from "../pointer";

/** A schema with its `$ref`s followed, and which ones those were. */
export interface Resolved {
  readonly schema: JsonObject;
  readonly refs: readonly string[];
}

/** How many `$ref`s may follow each other before we call it a loop. */
const MAX_HOPS = 16;

/** Find what a local `$ref` names; `undefined` for a remote or a dangling one. */
export function lookUp(root: JsonValue, ref: string): JsonValue | undefined {
  if (!ref.startsWith("#")) return undefined;
  const fragment = decode(ref.slice(1));
  const tokens = parsePointer(fragment);
  if (!tokens) return findAnchor(root, fragment, 0);
  let at: JsonValue | undefined = root;
  for (const token of tokens) {
    if (isArray(at)) {
      const index = arrayIndex(token);
      at = index === null ? undefined : at[index];
    } else at = member(at, token);
  }
  return at;
}

/**
 * Follow `$ref` until a schema without one is reached.
 *
 * Members beside a `$ref` win over those it leads to: that is how authors use
 * them (a description, a default), and this page only describes; the server
 * judges.
 */
export function resolve(schema: JsonValue | undefined, root: JsonValue): Resolved {
  const refs: string[] = [];
  let merged = asSchema(schema);
  while (typeof merged["$ref"] === "string" && refs.length < MAX_HOPS) {
    const ref: string = merged["$ref"];
    const target = lookUp(root, ref);
    const { $ref: _, ...beside } = merged;
    refs.push(ref);
    if (target === undefined) return { schema: beside, refs };
    merged = { ...asSchema(target), ...beside };
  }
  return { schema: merged, refs };
}

/** Read a schema as an object: `true` says nothing, `false` forbids everything. */
export function asSchema(schema: JsonValue | undefined): JsonObject {
  if (isObject(schema)) return schema;
  return schema === false ? { not: {} } : {};
}

/** Two schemas that both hold, as far as a reader and a skeleton need them joined. */
export function join(first: JsonObject, second: JsonObject): JsonObject {
  const properties = Object.create(null) as Record<string, JsonValue | undefined>;
  Object.assign(properties, asSchema(member(first, "properties")));
  for (const [key, each] of Object.entries(asSchema(member(second, "properties")))) {
    const known = properties[key];
    properties[key] = known === undefined ? (each ?? {}) : { ...asSchema(known), ...asSchema(each) };
  }
  const required = [...stringList(first["required"]), ...stringList(second["required"])];
  return {
    ...first,
    ...second,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  };
}

export function stringList(value: JsonValue | undefined): readonly string[] {
  return isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A stray "%" is not an escape; the text then stands for itself.
    return fragment;
  }
}

function findAnchor(value: JsonValue | undefined, name: string, depth: number): JsonValue | undefined {
  if (depth > 64 || typeof value !== "object" || value === null) return undefined;
  if (isObject(value) && (value["$anchor"] === name || value["$dynamicAnchor"] === name)) {
    return value;
  }
  for (const each of Object.values(value as object) as JsonValue[]) {
    const found = findAnchor(each, name, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
