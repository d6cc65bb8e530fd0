import { type JsonObject, type JsonValue, isArray, isObject, member } from "../json/value";

/** A member that ought to be a text; `null` for anything else. */
export function textOrNull(value: JsonValue | undefined, key: string): string | null {
  const found = member(value, key);
  return typeof found === "string" ? found : null;
}

export function text(value: JsonValue | undefined, key: string): string {
  return textOrNull(value, key) ?? "";
}

/** Several members that ought to be texts. */
export function textsOf<K extends string>(value: JsonValue | undefined, ...keys: readonly K[]): Readonly<Record<K, string>> {
  return Object.fromEntries(keys.map((key) => [key, text(value, key)])) as Record<K, string>;
}

export function count(value: JsonValue | undefined, key: string): number {
  const found = member(value, key);
  return typeof found === "number" ? found : 0;
}

export function object(value: JsonValue | undefined, key: string): JsonObject {
  const found = member(value, key);
  return isObject(found) ? found : {};
}

export function objects(value: JsonValue | undefined, key: string): readonly JsonObject[] {
  return objectsIn(member(value, key));
}

export function objectsIn(list: JsonValue | undefined): readonly JsonObject[] {
  return isArray(list) ? list.filter(isObject) : [];
}

export function texts(value: JsonValue | undefined, key: string): readonly string[] {
  const found = member(value, key);
  return isArray(found) ? found.map((each) => (typeof each === "string" ? each : "")) : [];
}

/** One of some words; the last of them for anything else. */
export function oneOf<W extends string>(value: JsonValue | undefined, key: string, ...words: readonly [...W[], W]): W {
  const found = member(value, key);
  return words.find((each) => each === found) ?? (words.at(-1) as W);
}
