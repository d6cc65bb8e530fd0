import { type JsonNode, type Member, parseJson } from "./parse";

/** Keys and indices from the root of a document to one place in it. */
export type Path = readonly (string | number)[];

/** The text of a value that comes in, written as if it stood at the left margin. */
type ValueText = string;

const STEP = "  ";

/** The value at a place; of repeated keys the last one counts, as for the server. */
export function nodeAt(root: JsonNode, path: Path): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const part of path) node = node && childOf(node, part);
  return node;
}

export function childOf(node: JsonNode, part: string | number): JsonNode | undefined {
  if (typeof part === "number") return node.kind === "array" ? node.items[part] : undefined;
  return node.kind === "object" ? lastMember(node.members, part)?.value : undefined;
}

/**
 * Put a value at a place, and touch nothing else: every other character of the
 * text stays as it was written.
 *
 * What is missing on the way is made. `order` names the keys that a new member
 * stands between; without it the member comes last.
 */
export function setAt(text: string, path: Path, value: ValueText, order: readonly string[] = []): string {
  const root = rootOf(text);
  let node = root;
  for (const [depth, part] of path.entries()) {
    const next = childOf(node, part);
    if (next) {
      node = next;
      continue;
    }
    const added = wrapped(path.slice(depth + 1), value);
    if (typeof part === "string" && node.kind === "object") return addMember(text, node, part, added, order);
    if (typeof part === "number" && node.kind === "array") return addItem(text, node, added);
    return replace(text, node, wrapped(path.slice(depth), value));
  }
  return replace(text, node, value);
}

/** Take a member or an item out; a key that stands there twice goes twice. */
export function removeAt(text: string, path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return text;
  let now = text;
  for (;;) {
    const parent = nodeAt(rootOf(now), path.slice(0, -1));
    if (parent?.kind === "array" && typeof last === "number" && parent.items[last]) {
      return removePart(now, parent, parent.items, last);
    }
    if (parent?.kind !== "object" || typeof last !== "string") return now;
    const index = parent.members.findLastIndex(({ key }) => key === last);
    if (index < 0) return now;
    const spans = parent.members.map(({ keySpan, value }) => ({ from: keySpan.from, to: value.to }));
    now = removePart(now, parent, spans, index);
  }
}

/** Give a member another name, where that name is still free. */
export function renameAt(text: string, path: Path, name: string): string {
  const parent = nodeAt(rootOf(text), path.slice(0, -1));
  const key = path.at(-1);
  if (parent?.kind !== "object" || typeof key !== "string") return text;
  const member = lastMember(parent.members, key);
  if (!member || lastMember(parent.members, name)) return text;
  return splice(text, member.keySpan.from, member.keySpan.to, JSON.stringify(name));
}

/** Let two neighbours of a list change places; each keeps its own text. */
export function swapItems(text: string, path: Path, index: number): string {
  const list = nodeAt(rootOf(text), path);
  if (list?.kind !== "array") return text;
  const [first, second] = [list.items[index], list.items[index + 1]];
  if (!first || !second) return text;
  const [one, between, two] = [
    text.slice(first.from, first.to), text.slice(first.to, second.from), text.slice(second.from, second.to),
  ];
  return splice(text, first.from, second.to, two + between + one);
}

/** The text of a value, as if it stood at the left margin. */
export function textOf(text: string, node: JsonNode): ValueText {
  const margin = marginAt(text, node.from);
  return text.slice(node.from, node.to).replaceAll(`\n${margin}`, "\n");
}

/** The one change that makes `before` into `after`, as short as it can be. */
export function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from++;
  let tail = 0;
  while (tail < most - from && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}

function rootOf(text: string): JsonNode {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new SyntaxError(`only JSON can be edited by path: ${parsed.problem.message}`);
  return parsed.root;
}

function lastMember(members: readonly Member[], key: string): Member | undefined {
  return members.findLast((member) => member.key === key);
}

/** The value, inside what the rest of the path says must be around it. */
function wrapped(path: Path, value: ValueText): ValueText {
  return path.reduceRight<string>((inner, part) => {
    const body = indented(inner, STEP);
    return typeof part === "number" ? `[\n${STEP}${body}\n]` : `{\n${STEP}${JSON.stringify(part)}: ${body}\n}`;
  }, value);
}

function replace(text: string, node: JsonNode, value: ValueText): string {
  return splice(text, node.from, node.to, indented(value, marginAt(text, node.from)));
}

type ObjectNode = Extract<JsonNode, { kind: "object" }>;
type ArrayNode = Extract<JsonNode, { kind: "array" }>;

function addMember(text: string, node: ObjectNode, key: string, value: ValueText, order: readonly string[]): string {
  const spans = node.members.map((each) => ({ from: each.keySpan.from, to: each.value.to }));
  const at = slotFor(node.members.map((each) => each.key), key, order);
  return addPart(text, node, spans, at, (margin) => `${JSON.stringify(key)}: ${indented(value, margin)}`);
}

function addItem(text: string, node: ArrayNode, value: ValueText): string {
  return addPart(text, node, node.items, node.items.length, (margin) => indented(value, margin));
}

/** Which place among `keys` a new key gets, so that keys keep the order of the schema. */
function slotFor(keys: readonly string[], key: string, order: readonly string[]): number {
  const rank = order.indexOf(key);
  if (rank < 0) return keys.length;
  const places = new Map(keys.map((each, at) => [each, at] as const));
  for (let before = rank - 1; before >= 0; before--) {
    const at = places.get(order[before] ?? "");
    if (at !== undefined) return at + 1;
  }
  const later = new Set(order.slice(rank + 1));
  const after = keys.findIndex((each) => later.has(each));
  return after < 0 ? keys.length : after;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function addPart(
  text: string,
  node: Span,
  parts: readonly Span[],
  at: number,
  write: (margin: string) => string,
): string {
  const outer = marginAt(text, node.from);
  const first = parts[0];
  if (!first) {
    const margin = outer + STEP;
    return splice(text, node.from + 1, node.to - 1, `\n${margin}${write(margin)}\n${outer}`);
  }
  const opening = text.slice(node.from + 1, first.from);
  const isTall = opening.includes("\n");
  const margin = isTall ? marginAt(text, first.from) : outer;
  const gap = isTall ? `\n${margin}` : " ";
  const before = parts[at - 1];
  if (before) return splice(text, before.to, before.to, `,${gap}${write(margin)}`);
  return splice(text, first.from, first.from, `${write(margin)},${gap}`);
}

function removePart(text: string, node: Span, parts: readonly Span[], index: number): string {
  const [before, own, after] = [parts[index - 1], parts[index], parts[index + 1]];
  if (!own) return text;
  if (after) return splice(text, own.from, after.from, "");
  if (before) return splice(text, before.to, own.to, "");
  return splice(text, node.from + 1, node.to - 1, "");
}

/** The white space that the line of a place begins with. */
function marginAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** JSON strings hold no raw line break, so only white space between tokens moves. */
function indented(value: ValueText, margin: string): string {
  return value.replaceAll("\n", `\n${margin}`);
}

function splice(text: string, from: number, to: number, insert: string): string {
  return text.slice(0, from) + insert + text.slice(to);
}
