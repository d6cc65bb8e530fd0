import { childOf, removeAt, setAt } from "../json/edit";
import { parseJson } from "../json/parse";
import { type JsonObject, type JsonValue, isArray, isObject, toValue, writeJson } from "../json/value";
import { accepts, isOfType, schemasOfMember } from "../schema/accepts";
import { placeholder } from "../schema/skeleton";
import { type Branch, knownAs } from "./branches";
import { isFreeForm, orderOf, schemaOfItem } from "./fields";
import { TYPES, viewOf } from "./view";

/** Characters and new members; more would keep the page waiting. */
const MOST_CHARS = 50_000;
const MOST_NEW = 100;

/**
 * The text of a value after another kind was chosen for it; `null` where it is none of that kind.
 *
 * Of an object those members stay that both kinds know, and those that neither
 * names; what the new kind needs besides begins anew.
 *
 * @param text - The value, as if it stood at the left margin.
 */
export function carried(text: string, before: Branch | undefined, next: Branch, root: JsonValue): string | null {
  const parsed = parseJson(text);
  // Each member that comes or goes is an edit of the whole: a long value begins anew.
  if (!parsed.ok || text.length > MOST_CHARS) return null;
  const value = toValue(parsed.root);
  const { schema: own, shape } = viewOf(next.schema, root, value);
  if (!isObject(value) || shape.kind !== "object") return mayStay(next.schema, value, root) ? text : null;
  const old = before === undefined ? {} : viewOf(before.schema, root, value).schema;
  const foreign = Object.entries(value).filter(([key, each]) => !fits(own, old, key, each ?? null, root));
  const left = foreign.reduce((now, [key]) => removeAt(now, [key]), text);
  return completed(left, own, next, root);
}

function fits(own: JsonObject, old: JsonObject, key: string, value: JsonValue, root: JsonValue): boolean {
  if (isFreeForm(own)) return true;
  const parts = knownAs(own, key);
  if (parts !== null) return parts.every((each) => mayStay(each, value, root));
  return knownAs(old, key) === null && (own["additionalProperties"] ?? own["unevaluatedProperties"]) !== false;
}

/** With what a new value of this kind begins with, where it is not there. */
function completed(text: string, own: JsonObject, { schema }: Branch, root: JsonValue): string | null {
  const start = placeholder(schema, root);
  if (!isObject(start)) return text;
  if (Object.keys(start).length > MOST_NEW) return null;
  return Object.entries(start).reduce((now, [key, each]) => {
    const parsed = parseJson(now);
    const isThere = parsed.ok && childOf(parsed.root, key) !== undefined;
    return isThere ? now : setAt(now, [key], writeJson(each ?? null), orderOf(own));
  }, text);
}

/** Whether a value is right for a schema, or could become right by typing on. */
function mayStay(schema: JsonValue | undefined, value: JsonValue, root: JsonValue): boolean {
  if (accepts(schema, value, root)) return true;
  const { schema: own, shape } = viewOf(schema, root, value);
  const type = TYPES[shape.kind];
  if (type === undefined || !isOfType({ type }, value) || !isOfType(own, value)) return false;
  if (isArray(value)) return value.every((each, index) => mayStay(schemaOfItem(own, index), each, root));
  if (!isObject(value)) return true;
  return Object.entries(value).every(([key, each]) => schemasOfMember(own, key).every((part) => mayStay(part, each ?? null, root)));
}
