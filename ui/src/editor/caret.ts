import type { Path } from "../json/edit";
import { parseJson } from "../json/parse";

/** Where in a JSON document the caret is, as far as the text before it tells. */
export interface Caret {
  readonly slot: "key" | "value";
  /** The object that the key is of, or the place of the value. */
  readonly path: Path;
  /** What has been typed of the key or value: a completion replaces it. */
  readonly from: number;
  readonly to: number;
  /** Keys that the object has, before and behind the caret. */
  readonly keys: ReadonlySet<string>;
}

interface Level {
  readonly isObject: boolean;
  key: string;
  index: number;
  expects: "key" | "colon" | "value" | "comma";
  readonly keys: Set<string>;
}

/** Characters; in longer texts nothing is offered, for each key stroke would read them all. */
const MAX_TEXT = 300_000;
const TOKEN = /"(?:[^"\\\n]|\\.)*("?)|[^\s"{}[\],:]+|[{}[\],:]/gy;

/**
 * Read the text up to the caret, however unfinished it is.
 *
 * @returns `null` where neither a key nor a value can be typed.
 */
export function caretIn(text: string, at: number): Caret | null {
  if (text.length > MAX_TEXT) return null;
  const levels: Level[] = [];
  const top: Level = { isObject: false, key: "", index: 0, expects: "value", keys: new Set() };
  const current = (): Level => levels.at(-1) ?? top;
  const rest = walk(text, at, levels, current);
  const level = current();
  if (level.expects === "colon" || level.expects === "comma") return null;
  const path = levels.slice(0, -1).map(placeOf);
  if (level.expects === "value") return { slot: "value", path: levels.map(placeOf), keys: new Set(), ...rest };
  const keys = new Set([...level.keys, ...keysBehind(text, rest.to)]);
  return { slot: "key", path, keys, ...rest };
}

function placeOf({ isObject, key, index }: Level): string | number {
  return isObject ? key : index;
}

/** Go through the tokens that end before the caret; the one that it touches is still being typed. */
function walk(text: string, at: number, levels: Level[], current: () => Level): { from: number; to: number } {
  TOKEN.lastIndex = 0;
  for (let from = skipSpace(text, 0); from < at; from = skipSpace(text, TOKEN.lastIndex)) {
    TOKEN.lastIndex = from;
    const found = TOKEN.exec(text);
    if (!found) return { from: at, to: at };
    const [token, closing] = found;
    const end = from + token.length;
    const isTyped = token[0] === '"' ? end > at || (end === at && closing === "") : end >= at && !"{}[],:".includes(token);
    if (isTyped) return { from, to: typedEnd(token, end, at, closing === '"') };
    step(token, levels, current);
    TOKEN.lastIndex = end;
  }
  return { from: at, to: at };
}

/** A string that closes on this line is replaced whole; of anything else only what was typed. */
function typedEnd(token: string, end: number, at: number, isClosed: boolean): number {
  if (token[0] !== '"') return at;
  return isClosed && !/[:,{}[\]]/.test(token) ? end : at;
}

function step(token: string, levels: Level[], current: () => Level): void {
  const level = current();
  switch (token) {
    case "{":
    case "[":
      levels.push({ isObject: token === "{", key: "", index: 0, expects: token === "{" ? "key" : "value", keys: new Set() });
      return;
    case "}":
    case "]":
      levels.pop();
      current().expects = "comma";
      return;
    case ",":
      level.expects = level.isObject ? "key" : "value";
      level.index++;
      return;
    case ":":
      level.expects = "value";
      return;
    default:
      if (level.isObject && level.expects === "key") {
        level.key = decoded(token);
        level.keys.add(level.key);
        level.expects = "colon";
      } else level.expects = "comma";
  }
}

function decoded(token: string): string {
  const parsed = parseJson(token);
  return parsed.ok && parsed.root.kind === "string" ? parsed.root.value : token;
}

/** The keys of the same object that stand behind the caret. */
function keysBehind(text: string, from: number): readonly string[] {
  const keys: string[] = [];
  let depth = 0;
  let last: string | null = null;
  for (let at = skipSpace(text, from); at < text.length; at = skipSpace(text, TOKEN.lastIndex)) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return keys;
    if (token === "{" || token === "[") depth++;
    if (token === "}" || token === "]") depth--;
    if (depth < 0) return keys;
    if (token === ":" && depth === 0 && last !== null) keys.push(decoded(last));
    last = token[0] === '"' ? token : null;
  }
  return keys;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? "")) at++;
  return at;
}
