import { type Path, nodeAt } from "./edit";
import type { JsonNode } from "./parse";
import { parseJson } from "./parse";

/** Arrays of short plain values stay on one line up to this many characters. */
const LINE_WIDTH = 72;

/**
 * Lay out JSON for reading without changing a single token.
 *
 * Numbers and strings are copied as written and repeated keys are kept, so what
 * is shown is what was sent. Text that is not JSON comes back unchanged.
 */
export function prettyJson(text: string): string {
  const parsed = parseJson(text);
  return parsed.ok ? layOut(parsed.root, text, "") : text;
}

/** A part of a document that is read already, laid out as it was sent; `null` where there is none. */
export function textAt(text: string, root: JsonNode, path: Path): string | null {
  const node = nodeAt(root, path);
  return node === undefined ? null : layOut(node, text, "");
}

function layOut(node: JsonNode, text: string, indent: string): string {
  const inner = `${indent}  `;
  if (node.kind === "array") {
    if (node.items.length === 0) return "[]";
    const items = node.items.map((item) => layOut(item, text, inner));
    const flat = `[${items.join(", ")}]`;
    const isPlain = node.items.every((item) => item.kind !== "object" && item.kind !== "array");
    if (isPlain && flat.length <= LINE_WIDTH) return flat;
    return `[\n${items.map((item) => inner + item).join(",\n")}\n${indent}]`;
  }
  if (node.kind === "object") {
    if (node.members.length === 0) return "{}";
    const members = node.members.map(({ keySpan, value }) => {
      const key = text.slice(keySpan.from, keySpan.to);
      return `${inner}${key}: ${layOut(value, text, inner)}`;
    });
    return `{\n${members.join(",\n")}\n${indent}}`;
  }
  return text.slice(node.from, node.to);
}
