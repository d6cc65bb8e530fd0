import { ExactNumber, type JsonValue, isArray, isObject } from "./value";

/** Whether two values are the same to JSON Schema: `1`, `1.0` and `1e0` are, key order is nothing. */
export function isSame(first: JsonValue, second: JsonValue): boolean {
  if (first === second) return true;
  // Texts are alike only if they are the same; a long list of them is looked through often.
  return typeof first !== "string" && typeof second !== "string" && keyOf(first) === keyOf(second);
}

/** A text that is the same for equal values, and only for those. */
export function keyOf(value: JsonValue): string {
  if (typeof value === "number") return numberKey(String(value));
  if (value instanceof ExactNumber) return numberKey(value.raw);
  if (isArray(value)) return `[${value.map(keyOf).join()}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${keyOf(each ?? null)}`);
    return `{${members.sort().join()}}`;
  }
  return JSON.stringify(value);
}

/** Digits and a power of ten: no spelling of a number is lost in a double. */
export function numberKey(raw: string): string {
  const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]+))?$/i.exec(raw);
  if (!parts) return raw;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts;
  const digits = (whole + fraction).replace(/^0+/, "");
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  const kept = digits.slice(0, end);
  if (kept === "") return "0";
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}
