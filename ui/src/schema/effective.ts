import { type JsonObject, type JsonValue, isArray, isObject } from "../json/value";
import { once } from "../once";
import { accepts } from "./accepts";
import { join } from "./join";
import { asSchema } from "./keywords";
import { type Resolved, resolve } from "./resolve";

const MAX_DEPTH = 24;
/** Parts that are joined; to join the next one takes longer with each. */
const MAX_PARTS = 400;

/**
 * All that holds at one place, as one schema: references followed, `allOf`
 * joined, and of conditions the side that the value is on. Unions stay, for
 * somebody must choose.
 *
 * @param value - What stands there; without it conditions are left alone.
 */
export function effective(schema: JsonValue | undefined, root: JsonValue, value?: JsonValue): Resolved {
  const isPlain = value === undefined || !hasConditions(root);
  const key = isPlain && isObject(schema) ? schema : null;
  const found = key && known.get(key);
  if (found?.root === root) return found.resolved;
  const resolved = gather(schema, root, value, [], { left: MAX_PARTS });
  if (key) known.set(key, { root, resolved });
  return resolved;
}

const known = new WeakMap<JsonObject, { readonly root: JsonValue; readonly resolved: Resolved }>();

/** Whether what holds at a place of this schema may depend on the value there. */
export function hasConditions(root: JsonValue): boolean {
  return isObject(root) && isConditional(root);
}

const isConditional = once((root: JsonObject) => mentionsConditions(root));

function mentionsConditions(value: JsonValue | undefined): boolean {
  if (isArray(value)) return value.some(mentionsConditions);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, each]) => key === "if" || key === "dependentSchemas" || mentionsConditions(each));
}

function gather(
  schema: JsonValue | undefined,
  root: JsonValue,
  value: JsonValue | undefined,
  above: readonly string[],
  parts: { left: number },
): Resolved {
  const { schema: own, refs } = resolve(schema, root);
  // A schema that is part of itself asks nothing new the second time.
  if (parts.left-- <= 0 || above.length > MAX_DEPTH || refs.some((ref) => above.includes(ref))) return { schema: {}, refs };
  const path = [...above, ...refs];
  let whole: JsonObject = own;
  const followed = [...refs];
  const add = (part: JsonValue | undefined): void => {
    // Beyond every sensible nesting the rest is left to the server.
    const inner = gather(part, root, value, [...path, ""], parts);
    whole = join(whole, inner.schema);
    followed.push(...inner.refs);
  };
  if (isArray(own["allOf"])) {
    const { allOf, ...rest } = own;
    whole = rest;
    for (const part of isArray(allOf) ? allOf : []) add(part);
  }
  if (value !== undefined) for (const part of conditionsOf(own, value, root)) add(part);
  return { schema: whole, refs: followed };
}

function conditionsOf(own: JsonObject, value: JsonValue, root: JsonValue): readonly (JsonValue | undefined)[] {
  const { if: condition, then, else: otherwise } = own;
  const sides = condition === undefined ? [] : [accepts(condition, value, root) ? then : otherwise];
  const dependent = Object.entries(asSchema(own["dependentSchemas"]))
    .filter(([key]) => isObject(value) && Object.hasOwn(value, key))
    .map(([, part]) => part);
  return [...sides, ...dependent];
}
