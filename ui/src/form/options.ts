import { keyOf } from "../json/equal";
import { type JsonObject, type JsonValue, member, writeJson } from "../json/value";
import { visibleText } from "../names";
import { stringList } from "../schema/keywords";

/** One value of a choice. */
export interface Option {
  readonly value: JsonValue;
  /** The name that the schema gives to the value; empty where it gives none. */
  readonly label: string;
  /** What the schema says about this value. */
  readonly text: string;
}

/** The values of an `enum`, with the names that some generators put beside it. */
export function optionsOf(values: readonly JsonValue[], schema: JsonObject): readonly Option[] {
  const names = stringList(schema["enumNames"] ?? schema["x-enumNames"]);
  const isNamed = names.length === values.length;
  return distinct(values.map((value, at) => ({ value, label: isNamed ? (names[at] ?? "") : "", text: "" })));
}

export function withNull(options: readonly Option[], isNullable: boolean): readonly Option[] {
  return isNullable ? distinct([...options, { value: null, label: "", text: "" }]) : options;
}

/** A branch of one constant may have a title: that is how names are given to values. */
export function titled(options: readonly Option[], branch: JsonObject): readonly Option[] {
  const [only] = options;
  if (options.length !== 1 || !only) return options;
  return [{ ...only, label: wordOf(branch, "title"), text: wordOf(branch, "description") }];
}

function wordOf(branch: JsonObject, key: string): string {
  const text = member(branch, key);
  return typeof text === "string" ? text : "";
}

export function distinct(options: readonly Option[]): readonly Option[] {
  const seen = new Map<string, Option>();
  for (const each of options) {
    const key = keyOf(each.value);
    if (!seen.has(key)) seen.set(key, each);
  }
  return [...seen.values()];
}

const MOST_CHARS = 200;

/** Texts that would read like something else without their quotes. */
const AMBIGUOUS = /^$|^\s|\s$|^[-0-9"[{]|^(?:true|false|null)$/;

/** How a value of a choice reads: a plain word as it is, all else as JSON. */
export function optionText({ value, label }: Option): string {
  const isPlain = typeof value === "string" && !AMBIGUOUS.test(value);
  const own = isPlain ? value : writeJson(value, "", "");
  return visibleText(label === "" || label === value ? own : `${label} (${own})`, MOST_CHARS);
}
