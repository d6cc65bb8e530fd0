/** A regular expression as a tree: as much of ECMA-262 as schemas use. */
export type PatternNode =
  | { readonly kind: "set"; readonly pick: (at: number) => string }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "group"; readonly parts: readonly PatternNode[]; readonly index: number | null }
  | { readonly kind: "repeat"; readonly parts: readonly PatternNode[]; readonly least: number; readonly most: number }
  | { readonly kind: "backreference"; readonly index: number }
  /** Anchors, boundaries and look-arounds: they ask something and write nothing. */
  | { readonly kind: "assertion"; readonly parts: readonly PatternNode[] };

type Range = readonly [from: number, to: number];

const DIGITS: readonly Range[] = [[48, 57]];
const WORD: readonly Range[] = [[97, 122], [48, 57], [65, 90], [95, 95]];
const SPACE: readonly Range[] = [[32, 32], [9, 10]];
/** Of a negated set and of "." the printable part of ASCII. */
const PRINTABLE: Range = [32, 126];
/** What reads well, in this order, where a set leaves the choice. */
const PREFERRED: readonly Range[] = [[97, 122], [48, 57], [65, 90]];
const CLASSES: Readonly<Record<string, readonly Range[]>> = { d: DIGITS, w: WORD, s: SPACE };
const ESCAPED: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, 0: 0 };
const PROPERTIES: Readonly<Record<string, readonly Range[]>> = {
  L: [[97, 122], [65, 90]], Letter: [[97, 122], [65, 90]], Alphabetic: [[97, 122], [65, 90]],
  Ll: [[97, 122]], Lu: [[65, 90]], N: DIGITS, Nd: DIGITS, Number: DIGITS,
  P: [[33, 35]], Z: [[32, 32]], Zs: [[32, 32]], S: [[43, 43]],
};
const MAX_LENGTH = 5_000;
const MAX_DEPTH = 100;

/** Read a pattern; `null` where it is none or uses what is not known here. */
export function parsePattern(pattern: string): PatternNode | null {
  if (pattern.length > MAX_LENGTH) return null;
  const known = parsed.get(pattern);
  if (known !== undefined) return known;
  const tree = new Reader(pattern).read();
  parsed.set(pattern, tree);
  return tree;
}

const parsed = new Map<string, PatternNode | null>();

class Unknown extends Error {}

class Reader {
  private at = 0;
  private groups = 0;
  private readonly names = new Map<string, number>();

  constructor(private readonly source: string) {}

  read(): PatternNode | null {
    try {
      const tree = this.choice(0);
      return this.at < this.source.length ? null : tree;
    } catch (error) {
      if (error instanceof Unknown) return null;
      throw error;
    }
  }

  private choice(depth: number): PatternNode {
    if (depth > MAX_DEPTH) throw new Unknown();
    const parts = [this.sequence(depth)];
    while (this.take("|")) parts.push(this.sequence(depth));
    const [only] = parts;
    return parts.length === 1 && only ? only : { kind: "choice", parts };
  }

  private sequence(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (this.at < this.source.length && !"|)".includes(this.source[this.at] ?? "")) {
      parts.push(this.repeated(this.atom(depth)));
    }
    return { kind: "sequence", parts };
  }

  private atom(depth: number): PatternNode {
    const next = this.character();
    switch (next) {
      case "^":
      case "$":
        return { kind: "assertion", parts: [] };
      case ".":
        return setOf([PRINTABLE]);
      case "(":
        return this.group(depth);
      case "[":
        return this.set();
      case "\\":
        return this.escape();
      case "*":
      case "+":
      case "?":
        throw new Unknown();
      default:
        return literal(next);
    }
  }

  private group(depth: number): PatternNode {
    let index: number | null = null;
    let isAssertion = false;
    if (this.take("?:")) index = null;
    else if (this.take("?=") || this.take("?!") || this.take("?<=") || this.take("?<!")) isAssertion = true;
    else {
      index = ++this.groups;
      const name = this.match(/\?<([^>]+)>/y)?.[1] ?? this.match(/\?P<([^>]+)>/y)?.[1];
      if (name !== undefined) this.names.set(name, index);
      else if (this.source[this.at] === "?") throw new Unknown();
    }
    const inner = this.choice(depth + 1);
    if (!this.take(")")) throw new Unknown();
    return isAssertion ? { kind: "assertion", parts: [inner] } : { kind: "group", parts: [inner], index };
  }

  private repeated(node: PatternNode): PatternNode {
    const bounds = this.bounds();
    if (!bounds) return node;
    this.take("?");
    const [least, most] = bounds;
    return { kind: "repeat", parts: [node], least, most };
  }

  private bounds(): Range | null {
    if (this.take("*")) return [0, Infinity];
    if (this.take("+")) return [1, Infinity];
    if (this.take("?")) return [0, 1];
    const [, least, comma, most] = this.match(/\{(\d+)(,?)(\d*)\}/y) ?? [];
    if (least === undefined) return null;
    const low = Number(least);
    return [low, comma ? (most ? Number(most) : Infinity) : low];
  }

  private escape(): PatternNode {
    const reference = this.match(/[1-9]\d?/y)?.[0];
    if (reference !== undefined) return { kind: "backreference", index: Number(reference) };
    const name = this.match(/k<([^>]+)>/y)?.[1];
    if (name !== undefined) return { kind: "backreference", index: this.names.get(name) ?? 0 };
    if (this.take("b") || this.take("B")) return { kind: "assertion", parts: [] };
    return setOf(this.escapedRanges());
  }

  /** What an escape stands for, inside and outside of a class. */
  private escapedRanges(): readonly Range[] {
    const property = this.match(/([pP])\{(?:[^}=]*=)?([^}]*)\}/y);
    if (property) {
      const ranges = PROPERTIES[property[2] ?? ""];
      if (!ranges) throw new Unknown();
      return property[1] === "P" ? complement(ranges) : ranges;
    }
    const code = this.match(/u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})/y);
    if (code) return single(parseInt(code[1] ?? code[2] ?? code[3] ?? "", 16));
    const letter = this.character();
    const ranges = CLASSES[letter.toLowerCase()];
    if (!ranges) return single(ESCAPED[letter] ?? letter.codePointAt(0) ?? 0);
    return letter in CLASSES ? ranges : complement(ranges);
  }

  private set(): PatternNode {
    const isNegated = this.take("^");
    const ranges: Range[] = [];
    while (!this.take("]")) {
      const low = this.member();
      const isRange = this.source[this.at] === "-" && this.source[this.at + 1] !== "]" && low.length === 1;
      if (!isRange) {
        ranges.push(...low);
        continue;
      }
      this.at++;
      const high = this.member();
      const [from, to] = [low[0]?.[0], high[0]?.[1]];
      if (from === undefined || to === undefined || to < from) throw new Unknown();
      ranges.push([from, to]);
    }
    return setOf(isNegated ? complement(ranges) : ranges);
  }

  private member(): readonly Range[] {
    const next = this.character();
    if (next !== "\\") return single(next.codePointAt(0) ?? 0);
    return this.take("b") ? single(8) : this.escapedRanges();
  }

  private character(): string {
    const code = this.source.codePointAt(this.at);
    if (code === undefined) throw new Unknown();
    const text = String.fromCodePoint(code);
    this.at += text.length;
    return text;
  }

  private take(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found) this.at += found[0].length;
    return found;
  }
}

function literal(text: string): PatternNode {
  return { kind: "set", pick: () => text };
}

function single(code: number): readonly Range[] {
  return [[code, code]];
}

/** The printable characters that are in none of the ranges. */
function complement(ranges: readonly Range[]): readonly Range[] {
  const left: Range[] = [];
  for (let code = PRINTABLE[0]; code <= PRINTABLE[1]; code++) {
    if (!ranges.some(([from, to]) => code >= from && code <= to)) left.push([code, code]);
  }
  return left;
}

function setOf(ranges: readonly Range[]): PatternNode {
  const preferred = ranges.flatMap(([from, to]) =>
    PREFERRED.flatMap(([low, high]): readonly Range[] => {
      const [first, last] = [Math.max(from, low), Math.min(to, high)];
      return first <= last ? [[first, last]] : [];
    }),
  );
  const offered = preferred.length > 0 ? preferred : ranges;
  const size = offered.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if (size === 0) throw new Unknown();
  return {
    kind: "set",
    pick(at) {
      let index = Math.floor(at * size);
      for (const [from, to] of offered) {
        if (index <= to - from) return String.fromCodePoint(from + index);
        index -= to - from + 1;
      }
      return "";
    },
  };
}
