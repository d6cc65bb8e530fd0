import { type PatternNode, parsePattern } from "./patternSyntax";

/** A repetition without an upper bound is written out at most this often. */
const LONGEST_RUN = 400;
const MAX_SAMPLE = 2_000;
const ATTEMPTS = 40;

/**
 * Does a text match a pattern of a schema?
 *
 * Whoever wrote the schema chose the pattern, and JavaScript's engine cannot
 * be stopped: a pattern that might take exponential time is tried on short
 * texts only, and counts as matched on longer ones.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const expression = compile(pattern);
  return expression === null || text.length > longestSafe(pattern) || expression.test(text);
}

const compiled = new Map<string, RegExp | null>();

function compile(pattern: string): RegExp | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = tryCompile(pattern, "u") ?? tryCompile(pattern, "");
  compiled.set(pattern, made);
  return made;
}

function tryCompile(pattern: string, flags: string): RegExp | null {
  try {
    return new RegExp(pattern, flags);
  } catch {
    // Not every pattern of a schema is one of JavaScript: such a one matches anything here.
    return null;
  }
}

function longestSafe(pattern: string): number {
  const tree = parsePattern(pattern);
  if (!tree || isNested(tree, false)) return 20;
  return countEndless(tree) > 1 ? 500 : 10_000;
}

function isEndless(node: PatternNode): boolean {
  return node.kind === "repeat" && node.most - node.least > 20;
}

/** A repetition or a choice inside an endless repetition: the ways to match can multiply. */
function isNested(node: PatternNode, isInside: boolean): boolean {
  const grows = isEndless(node);
  if (isInside && (grows || node.kind === "choice")) return true;
  return partsOf(node).some((part) => isNested(part, isInside || grows));
}

function countEndless(node: PatternNode): number {
  return (isEndless(node) ? 1 : 0) + partsOf(node).reduce((sum, part) => sum + countEndless(part), 0);
}

function partsOf(node: PatternNode): readonly PatternNode[] {
  return "parts" in node ? node.parts : [];
}

/** What a sample must be besides matching. */
export interface SampleWish {
  readonly minLength: number;
  readonly maxLength: number;
  /** Another number, another sample, where the pattern leaves a choice. */
  readonly variant: number;
}

/** A text that a pattern matches; `undefined` where none was found. */
export function samplePattern(pattern: string, wish: SampleWish): string | undefined {
  const tree = parsePattern(pattern);
  if (!tree) return undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // At first as short as it reads well, then longer and longer runs.
    const run = attempt < 6 ? attempt : Math.min(LONGEST_RUN, Math.ceil((wish.minLength * attempt) / 12));
    const writer = new Writer(random(attempt * 31 + wish.variant * 7919 + 1), Math.max(1, run), attempt % 3 < 2 ? 1 : 0);
    const text = writer.write(tree);
    const { length } = [...text];
    if (length < wish.minLength || length > wish.maxLength) continue;
    if (matchesPattern(pattern, text)) return text;
  }
  return undefined;
}

class Writer {
  private readonly groups: string[] = [];
  private length = 0;

  constructor(
    private readonly next: () => number,
    private readonly run: number,
    /** How often what may be left out is written at least. */
    private readonly least: 0 | 1,
  ) {}

  write(node: PatternNode): string {
    switch (node.kind) {
      case "set":
        this.length++;
        return node.pick(this.next());
      case "sequence":
        return node.parts.map((part) => this.write(part)).join("");
      case "choice":
        return this.write(node.parts[Math.floor(this.next() * node.parts.length)] ?? node);
      case "group": {
        const text = node.parts.map((part) => this.write(part)).join("");
        if (node.index !== null) this.groups[node.index] = text;
        return text;
      }
      case "repeat":
        return this.repeat(node);
      case "backreference":
        return this.groups[node.index] ?? "";
      case "assertion":
        return "";
    }
  }

  private repeat(node: Extract<PatternNode, { kind: "repeat" }>): string {
    const wanted = Math.min(node.most, Math.max(node.least, this.least, Math.floor(this.next() * (this.run + 1))));
    let text = "";
    for (let count = 0; count < wanted && (this.length < MAX_SAMPLE || count < node.least); count++) {
      for (const part of node.parts) text += this.write(part);
      if (text.length > MAX_SAMPLE) break;
    }
    return text;
  }
}

/** Numbers in [0, 1) that are the same on every machine and in every run. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
