import { diffArrays } from "diff";

/** A line of one text, of the other, or of both. */
export interface DiffLine {
  readonly kind: "same" | "changed";
  /** `null` where there is no such line. */
  readonly left: NumberedLine | null;
  readonly right: NumberedLine | null;
}

export interface NumberedLine {
  /** Counted from one. */
  readonly number: number;
  readonly text: string;
}

/** Above this the lines are set side by side as they stand: nobody waits for more. */
const MAX_EDITS = 1_500;
const MAX_MS = 400;

/** What a line says: how deep it stands, and whether another follows it, is no difference. */
function gist(line: string): string {
  return line.trim().replace(/,$/, "");
}

/** Two texts line by line, with equal lines at the same height; indentation and last commas count for nothing. */
export function diffLines(left: string, right: string): readonly DiffLine[] {
  const [before, after] = [left.split("\n"), right.split("\n")];
  // Millions of pairs may be compared: what a line says is found once.
  const parts = diffArrays(before.map(gist), after.map(gist), { maxEditLength: MAX_EDITS, timeout: MAX_MS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const lines: DiffLine[] = [];
  let [leftAt, rightAt] = [0, 0];
  let [gone, come]: [string[], string[]] = [[], []];
  const flush = (): void => {
    for (let at = 0; at < Math.max(gone.length, come.length); at++) {
      const [was, is] = [gone[at], come[at]];
      lines.push({
        kind: "changed",
        left: was === undefined ? null : { number: ++leftAt, text: was },
        right: is === undefined ? null : { number: ++rightAt, text: is },
      });
    }
    [gone, come] = [[], []];
  };
  for (const part of parts) {
    const many = part.value.length;
    if (part.removed) gone.push(...before.slice(leftAt + gone.length, leftAt + gone.length + many));
    else if (part.added) come.push(...after.slice(rightAt + come.length, rightAt + come.length + many));
    else {
      flush();
      for (const _ of part.value) {
        const [was, is] = [before[leftAt] ?? "", after[rightAt] ?? ""];
        lines.push({ kind: "same", left: { number: ++leftAt, text: was }, right: { number: ++rightAt, text: is } });
      }
    }
  }
  flush();
  return lines;
}

export interface Fold {
  readonly kind: "fold";
  readonly lines: readonly DiffLine[];
}

/** Equal lines around a change that stay in sight. */
const CONTEXT = 3;

/** Fold long runs of equal lines away; a fold of a line or two would save nothing. */
export function folded(lines: readonly DiffLine[]): readonly (DiffLine | Fold)[] {
  const shown: (DiffLine | Fold)[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && lines[end]?.kind === "same") end++;
    const from = at === 0 ? 0 : at + CONTEXT;
    const to = end === lines.length ? end : end - CONTEXT;
    if (to - from > 2) shown.push(...lines.slice(at, from), { kind: "fold", lines: lines.slice(from, to) }, ...lines.slice(to, end));
    else shown.push(...lines.slice(at, end));
    while (end < lines.length && lines[end]?.kind === "changed") shown.push(lines[end++] as DiffLine);
    at = end;
  }
  return shown;
}

export function isSameText(lines: readonly DiffLine[]): boolean {
  return lines.every(({ kind }) => kind === "same");
}
