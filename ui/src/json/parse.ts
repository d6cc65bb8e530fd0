/**
 * A strict RFC 8259 reader that keeps where everything stood.
 *
 * `JSON.parse` loses what this page must not lose: the place of each value,
 * the spelling of numbers (`12345678901234567890`, `1.0`) and repeated keys.
 * It also words its errors differently in each browser.
 */

interface Span {
  /** UTF-16 offset of the first character. */
  readonly from: number;
  /** UTF-16 offset behind the last character. */
  readonly to: number;
}

export interface Member {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: JsonNode;
}

export type JsonNode = Span &
  (
    | { readonly kind: "object"; readonly members: readonly Member[] }
    | { readonly kind: "array"; readonly items: readonly JsonNode[] }
    | { readonly kind: "string"; readonly value: string }
    | { readonly kind: "number"; readonly raw: string }
    | { readonly kind: "boolean"; readonly value: boolean }
    | { readonly kind: "null" }
  );

export interface SyntaxProblem extends Span {
  readonly message: string;
}

export type Parsed =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly problem: SyntaxProblem };

/** Far above the server's own limit of 100, far below any stack limit. */
const MAX_DEPTH = 500;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /[A-Za-z0-9_$.+-]+/y;
const SPACE = /[ \t\n\r]*/y;
// Runs of plain characters; RFC 8259 section 7 forbids controls inside strings.
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t",
};

class Broken extends Error {
  constructor(readonly problem: SyntaxProblem) {
    super(problem.message);
  }
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): JsonNode {
    this.space();
    const root = this.value(0);
    this.space();
    if (this.at < this.text.length) {
      this.fail("Nothing may follow the end of the JSON value", this.at);
    }
    return root;
  }

  private value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) this.fail(`Nested more than ${MAX_DEPTH} levels deep`, this.at);
    const from = this.at;
    switch (this.text[from]) {
      case "{":
        return this.object(depth);
      case "[":
        return this.array(depth);
      case '"':
        return { kind: "string", value: this.string(), from, to: this.at };
      case undefined:
        return this.fail("A JSON value is missing here", from);
      default:
        return this.word();
    }
  }

  private object(depth: number): JsonNode {
    const from = this.at++;
    const members: Member[] = [];
    this.space();
    if (this.take("}")) return { kind: "object", members, from, to: this.at };
    for (;;) {
      const keyFrom = this.at;
      if (this.text[keyFrom] !== '"') {
        this.fail(
          this.text[keyFrom] === "}"
            ? "A comma may not stand before the closing brace"
            : "A property name in double quotes is expected here",
          keyFrom,
        );
      }
      const key = this.string();
      const keySpan = { from: keyFrom, to: this.at };
      this.space();
      if (!this.take(":")) this.fail("A colon is expected after the property name", this.at);
      this.space();
      members.push({ key, keySpan, value: this.value(depth + 1) });
      this.space();
      if (this.take("}")) return { kind: "object", members, from, to: this.at };
      if (!this.take(",")) this.fail("A comma or a closing brace is expected here", this.at);
      this.space();
    }
  }

  private array(depth: number): JsonNode {
    const from = this.at++;
    const items: JsonNode[] = [];
    this.space();
    if (this.take("]")) return { kind: "array", items, from, to: this.at };
    for (;;) {
      if (this.text[this.at] === "]") {
        this.fail("A comma may not stand before the closing bracket", this.at);
      }
      items.push(this.value(depth + 1));
      this.space();
      if (this.take("]")) return { kind: "array", items, from, to: this.at };
      if (!this.take(",")) this.fail("A comma or a closing bracket is expected here", this.at);
      this.space();
    }
  }

  private string(): string {
    const from = this.at++;
    let value = this.match(PLAIN);
    if (this.take('"')) return value;
    const whole = stringAt(this.text, from);
    if (whole !== null) {
      this.at = whole.to;
      return whole.value;
    }
    for (;;) {
      value += this.match(PLAIN);
      const next = this.text[this.at];
      if (next === '"') {
        this.at++;
        return value;
      }
      if (next === "\\") value += this.escape();
      else if (next === undefined || next === "\n" || next === "\r") {
        this.fail("This string is not closed", from, this.at);
      } else this.fail("A control character must be written as an escape", this.at);
    }
  }

  private escape(): string {
    const from = this.at++;
    const letter = this.text[this.at++] ?? "";
    if (letter !== "u") {
      return ESCAPES[letter] ?? this.fail("This escape is not known in JSON", from, this.at);
    }
    const hex = this.text.slice(this.at, this.at + 4);
    if (!/^[0-9A-Fa-f]{4}$/.test(hex)) {
      this.fail("Four hexadecimal digits are expected after \\u", from, this.at);
    }
    this.at += 4;
    return String.fromCharCode(parseInt(hex, 16));
  }

  private word(): JsonNode {
    const from = this.at;
    const word = this.match(WORD);
    const to = this.at;
    if (word === "true" || word === "false") {
      return { kind: "boolean", value: word === "true", from, to };
    }
    if (word === "null") return { kind: "null", from, to };
    NUMBER.lastIndex = 0;
    if (NUMBER.exec(word)?.[0] === word && word !== "") {
      return { kind: "number", raw: word, from, to };
    }
    if (word === "") return this.fail("A JSON value is expected here", from);
    return this.fail(
      /^[-+.0-9]/.test(word) ? "This is not a JSON number" : "This word is not a JSON value",
      from,
      to,
    );
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private space(): void {
    this.match(SPACE);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private fail(message: string, from: number, to = from + 1): never {
    const end = Math.min(Math.max(to, from), this.text.length);
    throw new Broken({ message, from: Math.min(from, this.text.length), to: end });
  }
}

/** A string with escapes, by the browser's own reader, which is quick but does not say what is wrong. */
function stringAt(text: string, from: number): { readonly value: string; readonly to: number } | null {
  let end = from;
  let slashes = 1;
  while (slashes % 2 === 1) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return null;
    for (slashes = 0; text[end - 1 - slashes] === "\\"; ) slashes++;
  }
  try {
    return { value: JSON.parse(text.slice(from, end + 1)) as string, to: end + 1 };
  } catch {
    // The slow way finds the place.
    return null;
  }
}

/** Read a document; a problem carries its place, never an exception. */
export function parseJson(text: string): Parsed {
  try {
    return { ok: true, root: new Reader(text).document() };
  } catch (error) {
    if (error instanceof Broken) return { ok: false, problem: error.problem };
    throw error;
  }
}
