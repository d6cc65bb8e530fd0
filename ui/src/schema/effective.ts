import { type JsonObject, type JsonValue, isArray, isObject } from "../json/value";
import { accepts } from "./accepts";
import { join } from "./join";
import { asSchema } from "./keywords";
import { type Resolved, resolve } from "./resolve";

const MAX_DEPTH = 24;

/**
 * All that holds at one place, as one schema: references followed, `allOf`
 * joined, and of conditions the side that the value is on. Unions stay, for
 * somebody must choose.
 *
 * @param value - What stands there; without it conditions are left alone.
 */
export function effective(schema: JsonValue | undefined, root: JsonValue, value?: JsonValue): Resolved {
  return gather(schema, root, value, []);
}

function gather(
  schema: JsonValue | undefined,
  root: JsonValue,
  value: JsonValue | undefined,
  above: readonly string[],
): Resolved {
  const { schema: own, refs } = resolve(schema, root);
  // A schema that is part of itself asks nothing new the second time.
  if (above.length > MAX_DEPTH || refs.some((ref) => above.includes(ref))) return { schema: {}, refs };
  const path = [...above, ...refs];
  let whole: JsonObject = own;
  const followed = [...refs];
  const add = (part: JsonValue | undefined): void => {
    // Beyond every sensible nesting the rest is left to the server.
    const inner = gather(part, root, value, [...path, ""]);
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
