import { ExactNumber, type JsonObject, type JsonValue, isArray, isObject } from "../json/value";

/** The nearest double, for comparing with bounds; the server judges exactly. */
export function asNumber(value: JsonValue | undefined): number | undefined {
  if (value instanceof ExactNumber) return Number(value.raw);
  return typeof value === "number" ? value : undefined;
}

export function isNumber(value: JsonValue): value is number | ExactNumber {
  return typeof value === "number" || value instanceof ExactNumber;
}

/** By value and not by spelling: `1.0` and `1e3` are integers to JSON Schema. */
export function isInteger(value: number | ExactNumber): boolean {
  return Number.isInteger(asNumber(value));
}

export function isAtLeast(first: JsonValue, second: JsonValue): boolean {
  return (asNumber(first) ?? 0) >= (asNumber(second) ?? 0);
}

/** A bound of a schema as a number, where it is one. */
export function boundOf(schema: JsonObject, key: string): number | undefined {
  return asNumber(schema[key]);
}

/** Read a schema as an object: `true` says nothing, `false` forbids everything. */
export function asSchema(schema: JsonValue | undefined): JsonObject {
  if (isObject(schema)) return schema;
  return schema === false ? { not: {} } : {};
}

export function stringList(value: JsonValue | undefined): readonly string[] {
  return isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** The types that a schema names; none where it names none. */
export function typesOf(schema: JsonObject): readonly string[] {
  const type = schema["type"];
  return typeof type === "string" ? [type] : stringList(type);
}
