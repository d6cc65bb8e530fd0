import { type JsonObject, type JsonValue, isArray, isObject, member } from "../json/value";
import { onceEach } from "../once";
import { arrayIndex, parsePointer } from "../pointer";
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
  return isObject(root) ? target(root, ref) : undefined;
}

const target = onceEach((root: JsonObject, ref): JsonValue | undefined => {
  const hash = ref.indexOf("#");
  const [base, fragment] = hash < 0 ? [ref, ""] : [ref.slice(0, hash), decode(ref.slice(hash + 1))];
  const document = base === "" ? root : find(root, (each) => each["$id"] === base, 0);
  if (document === undefined) return undefined;
  const tokens = parsePointer(fragment);
  if (!tokens) {
    return find(document, (each) => each["$anchor"] === fragment || each["$dynamicAnchor"] === fragment, 0);
  }
  let at: JsonValue | undefined = document;
  for (const token of tokens) {
    if (isArray(at)) {
      const index = arrayIndex(token);
      at = index === null ? undefined : at[index];
    } else at = member(at, token);
  }
  return at;
});

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

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A stray "%" is not an escape; the text then stands for itself.
    return fragment;
  }
}

/** The first object below a value that fits, depth first. */
function find(
  value: JsonValue | undefined,
  fits: (object: JsonObject) => boolean,
  depth: number,
): JsonValue | undefined {
  if (depth > 64 || typeof value !== "object" || value === null) return undefined;
  if (isObject(value) && fits(value)) return value;
  for (const each of Object.values(value as object) as JsonValue[]) {
    const found = find(each, fits, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
