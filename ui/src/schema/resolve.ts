import { type JsonObject, type JsonValue, isArray, isObject, member } from "../json/value";
import { onceEach } from "../once";
import { arrayIndex, decoded, parsePointer } from "../pointer";
import { join } from "./join";
import { asSchema } from "./keywords";

/** A schema with its `$ref`s followed, and which ones those were. */
export interface Resolved {
  readonly schema: JsonObject;
  readonly refs: readonly string[];
}

/** How many `$ref`s may follow each other before we call it a loop. */
const MAX_HOPS = 16;

/** Find what a `$ref` names; `undefined` where it leads out of the schema or nowhere. */
export function lookUp(root: JsonValue, ref: string): JsonValue | undefined {
  const path = isObject(root) ? pathOfRef(root, ref) : null;
  return path === null ? undefined : valueAt(root, path);
}

/** The way from the root to what a `$ref` names; `null` where it leads out of the schema. */
export const pathOfRef = onceEach((root: JsonObject, ref): readonly string[] | null => {
  const hash = ref.indexOf("#");
  const [base, fragment] = hash < 0 ? [ref, ""] : [ref.slice(0, hash), decoded(ref.slice(hash + 1))];
  const start = base === "" ? [] : pathTo(root, (each) => each["$id"] === base);
  if (start === null) return null;
  const rest =
    parsePointer(fragment) ??
    pathTo(valueAt(root, start), (each) => each["$anchor"] === fragment || each["$dynamicAnchor"] === fragment);
  return rest && [...start, ...rest];
});

export function valueAt(root: JsonValue, path: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const token of path) at = isArray(at) ? at[arrayIndex(token) ?? -1] : member(at, token);
  return at;
}

/**
 * Follow `$ref` until a schema without one is reached.
 *
 * Members beside a `$ref` win over those it leads to: that is how authors use
 * them (a description, a default), and this page only describes; the server
 * judges. `$dynamicRef` is followed like `$ref`: its dynamic part needs the
 * whole of an evaluation.
 */
export function resolve(schema: JsonValue | undefined, root: JsonValue): Resolved {
  const refs: string[] = [];
  let merged = asSchema(schema);
  for (;;) {
    const { $ref, $dynamicRef, ...beside } = merged;
    const ref = typeof $ref === "string" ? $ref : $dynamicRef;
    if (typeof ref !== "string" || refs.length >= MAX_HOPS) return { schema: merged, refs };
    refs.push(ref);
    const target = lookUp(root, ref);
    if (target === undefined) return { schema: beside, refs };
    merged = join(beside, asSchema(target));
  }
}

/** The way to the first object below a value that fits, depth first. */
function pathTo(
  value: JsonValue | undefined,
  fits: (object: JsonObject) => boolean,
  path: readonly string[] = [],
): readonly string[] | null {
  if (path.length > 64 || typeof value !== "object" || value === null) return null;
  if (isObject(value) && fits(value)) return path;
  for (const [key, each] of Object.entries(value as object) as [string, JsonValue][]) {
    const found = pathTo(each, fits, [...path, key]);
    if (found) return found;
  }
  return null;
}
