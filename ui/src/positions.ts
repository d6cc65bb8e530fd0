import type { JsonNode } from "./json/parse";
import { arrayIndex, parsePointer } from "./pointer";

/** Where in the text a problem is shown. */
export interface Place {
  readonly from: number;
  readonly to: number;
  /** False where the pointer leads to something that is not in the text. */
  readonly exists: boolean;
}

export interface Found {
  readonly node: JsonNode;
  /** The key that leads to the node, where there is one. */
  readonly key?: { readonly from: number; readonly to: number };
}

/**
 * Find the text that a JSON Pointer names.
 *
 * A missing property has no text of its own: it is shown at the key of the
 * object that lacks it, or at that object's opening brace. So is an object or
 * array that spans lines: underlining all of it would say nothing.
 */
export function placeOf(root: JsonNode, pointer: string, text: string): Place {
  const tokens = parsePointer(pointer) ?? [];
  let found: Found = { node: root };
  for (const token of tokens) {
    const next = step(found.node, token);
    if (!next) return { ...anchor(found), exists: false };
    found = next;
  }
  const { node } = found;
  const isContainer = node.kind === "object" || node.kind === "array";
  if (isContainer && text.slice(node.from, node.to).includes("\n")) {
    return { ...anchor(found), exists: true };
  }
  return { from: node.from, to: node.to, exists: true };
}

/** What a key or an index leads to. */
export function step(node: JsonNode, token: string): Found | null {
  // Of repeated keys the last one counts, for the server too.
  const last = node.kind === "object" ? node.members.findLast(({ key }) => key === token) : undefined;
  const item = node.kind === "array" ? node.items[arrayIndex(token) ?? -1] : undefined;
  if (last) return { node: last.value, key: last.keySpan };
  return item ? { node: item } : null;
}

function anchor({ node, key }: Found): { from: number; to: number } {
  return key ? { from: key.from, to: key.to } : { from: node.from, to: node.from + 1 };
}

/** The keys that stand more than once in one object: all but the last are ignored. */
export function repeatedKeys(node: JsonNode): readonly { key: string; from: number; to: number }[] {
  if (node.kind === "array") return node.items.flatMap(repeatedKeys);
  if (node.kind !== "object") return [];
  const last = new Map(node.members.map((each) => [each.key, each]));
  return node.members.flatMap((each) => {
    const own = last.get(each.key) === each ? [] : [{ key: each.key, ...each.keySpan }];
    return [...own, ...repeatedKeys(each.value)];
  });
}

/** Line and column, both counted from one, as editors show them. */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

/** Count the lines of a text once, then place many offsets in it. */
export function linesOf(text: string): (offset: number) => LineColumn {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [line, end] = [0, starts.length];
    while (end - line > 1) {
      const middle = (line + end) >> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else end = middle;
    }
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}
