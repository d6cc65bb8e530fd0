import { type PatternNode, parsePattern } from "./patternSyntax";

/** A repetition without an upper bound is written out at most this often. */
const LONGEST_RUN = 400;
const MAX_SAMPLE = 2_000;
const ATTEMPTS = 40;
/** Parts that one sample is written from; repetitions of nothing have no length. */
const MAX_PARTS = 20_000;

/** Steps that an engine may need for one text at worst: about twenty milliseconds. */
const MAX_STEPS = 2_000_000;
/** Milliseconds of matching in each second. */
const MAX_MATCHING_MS = 200;

/**
 * Does a text match a pattern of a schema?
 *
 * Whoever wrote the schema chose the pattern, and JavaScript's engine cannot
 * be stopped: a pattern is only run where even the worst text of this length
 * takes few steps, and as long as all of them together take little time. What
 * is not run counts as matched; the verdict is the server's.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const tree = parsePattern(pattern);
  const began = performance.now();
  if (began - spent.since > 1_000) spent = { since: began, ms: 0 };
  if (!tree || spent.ms > MAX_MATCHING_MS) return true;
  try {
    return stepsOf(pattern, tree, text.length) > MAX_STEPS || (compile(pattern)?.test(text) ?? true);
  } catch {
    // Some engines find only now that a pattern is too large for them.
    return true;
  } finally {
    spent.ms += performance.now() - began;
  }
}

let spent = { since: 0, ms: 0 };

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

/** The most steps of an engine that goes back and tries again, whatever the text of this length is. */
function stepsOf(pattern: string, tree: PatternNode, length: number): number {
  const { steps } = effortOf(tree, length);
  const isAnchored = pattern.startsWith("^") && tree.kind !== "choice";
  return isAnchored ? steps + length : steps * (length + 1);
}

interface Effort {
  /** In how many ways a node can be followed at most. */
  readonly ways: number;
  /** To follow all of them. */
  readonly steps: number;
}

function effortOf(node: PatternNode, length: number): Effort {
  const parts = partsOf(node).map((part) => effortOf(part, length));
  if (node.kind === "choice") {
    return parts.reduce((sum, { ways, steps }) => ({ ways: sum.ways + ways, steps: sum.steps + steps }), { ways: 0, steps: 1 });
  }
  const once = parts.reduce((sum, { ways, steps }) => ({ ways: sum.ways * ways, steps: sum.steps + sum.ways * steps }), {
    ways: 1,
    steps: 1,
  });
  if (node.kind !== "repeat") return once;
  // Beyond the least, each repetition takes a character.
  const most = Math.min(node.most, node.least + length);
  if (once.ways <= 1) return { ways: most - node.least + 1, steps: once.steps * (most + 1) };
  const ways = once.ways ** (most + 1);
  return { ways: most === node.least ? once.ways ** most : ways, steps: once.steps * ways };
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
  private left = MAX_PARTS;

  constructor(
    private readonly next: () => number,
    private readonly run: number,
    /** How often what may be left out is written at least. */
    private readonly least: 0 | 1,
  ) {}

  write(node: PatternNode): string {
    if (this.left-- <= 0) return "";
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
    for (let count = 0; count < wanted && this.left > 0 && (this.length < MAX_SAMPLE || count < node.least); count++) {
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
