import { escapeToken } from "../pointer";
import type { JsonNode } from "./parse";

/** One line of a document that is shown as a tree. */
export interface TreeRow {
  /** RFC 6901; the root is "". */
  readonly pointer: string;
  /** The key or index that leads here; `null` at the root. */
  readonly label: string | null;
  readonly isIndex: boolean;
  /** Counted from one, as ARIA does. */
  readonly level: number;
  readonly node: JsonNode;
  readonly size: number;
  readonly isOpen: boolean;
}

/** Levels that are open at the start, as long as they are not too many rows. */
const OPEN_LEVELS = 3;
const OPEN_ROWS = 300;

export function sizeOf(node: JsonNode): number {
  return node.kind === "object" ? node.members.length : node.kind === "array" ? node.items.length : 0;
}

/** The places that are open at the start: the root, and what is below it while there is little. */
export function openAtStart(root: JsonNode): ReadonlySet<string> {
  const open = new Set<string>();
  let [level, rows]: [readonly TreeRow[], number] = [[rowOf(root, "", null, false, 1, open)], 1];
  for (let depth = 0; depth < OPEN_LEVELS; depth++) {
    const inner = level.filter(({ size }) => size > 0);
    rows += inner.reduce((sum, { size }) => sum + size, 0);
    if (depth > 0 && rows > OPEN_ROWS) break;
    for (const { pointer } of inner) open.add(pointer);
    level = inner.flatMap((row) => below(row, open));
  }
  return open;
}

/** The rows that are in sight while `open` says what is open. */
export function rowsOf(root: JsonNode, open: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const stack = [rowOf(root, "", null, false, 1, open)];
  for (let row = stack.pop(); row; row = stack.pop()) {
    rows.push(row);
    if (row.isOpen) for (const each of below(row, open).toReversed()) stack.push(each);
  }
  return rows;
}

function below(row: TreeRow, open: ReadonlySet<string>): readonly TreeRow[] {
  const { node, pointer, level } = row;
  if (node.kind === "object") {
    return node.members.map(({ key, value }) =>
      rowOf(value, `${pointer}/${escapeToken(key)}`, key, false, level + 1, open),
    );
  }
  if (node.kind !== "array") return [];
  return node.items.map((item, index) => rowOf(item, `${pointer}/${index}`, String(index), true, level + 1, open));
}

function rowOf(
  node: JsonNode,
  pointer: string,
  label: string | null,
  isIndex: boolean,
  level: number,
  open: ReadonlySet<string>,
): TreeRow {
  const size = sizeOf(node);
  return { pointer, label, isIndex, level, node, size, isOpen: size > 0 && open.has(pointer) };
}
