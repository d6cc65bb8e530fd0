import { type JsonNode, parseJson } from "../json/parse";
import { textAt } from "../json/print";
import { type JsonObject, type JsonValue, isArray, isObject, member, readJson, toValue } from "../json/value";
import { visibleText } from "../names";
import { type Annotations, type Answer, HINTS, type ToolSummary } from "./api";
import { objectsIn, text, textOrNull, textsOf } from "./fields";

/** One thing that is wrong with one place in the arguments. */
export interface Issue {
  /** JSON Pointer; of a missing property it names the property itself. */
  readonly path: string;
  readonly message: string;
  readonly keyword: string | null;
  readonly hint: string | null;
  readonly causes: readonly Issue[];
}

/** What an answer of `/validate` says. */
export type Verdict =
  | { readonly kind: "valid" }
  | { readonly kind: "invalid"; readonly issues: readonly Issue[] }
  | { readonly kind: "unknown"; readonly reason: string };

/** Whether the tool's own schema is at fault, so that no arguments could be right. */
export function blamesSchema(issues: readonly Issue[]): boolean {
  return issues[0]?.keyword === "schema" && issues[0].path === "";
}

export interface ToolDetail {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly annotations: Annotations;
  readonly input: Schema;
  readonly output: Schema | null;
}

export interface Schema {
  readonly value: JsonValue;
  /** The server's own tokens, laid out for reading. */
  readonly text: string;
}

/** A loaded thing or the sentence that says why not. */
export type Loaded<T> = { readonly value: T } | { readonly problem: string; readonly status: number };

export function readList(answer: Answer): Loaded<readonly ToolSummary[]> {
  const value = readJson(answer.body);
  if (answer.status !== 200) return failed(answer, value);
  if (!isArray(value)) return { problem: "The server's answer is not a list of tools.", status: 200 };
  return { value: value.filter(isObject).map(summary) };
}

export function readDetail(answer: Answer): Loaded<ToolDetail> {
  const parsed = parseJson(answer.body);
  const value = parsed.ok ? toValue(parsed.root) : undefined;
  if (answer.status !== 200) return failed(answer, value);
  if (!parsed.ok || !isObject(value)) return { problem: "The server's answer is not a tool.", status: 200 };
  const schemaAt = (key: string): Schema | null => {
    const text = value[key] === undefined ? null : textAt(answer.body, parsed.root, [key]);
    return text === null ? null : { value: value[key] ?? null, text };
  };
  return {
    value: {
      ...summary(value),
      title: textOrNull(value, "title"),
      annotations: annotations(value["annotations"]),
      input: schemaAt("inputSchema") ?? { value: {}, text: "{}" },
      output: schemaAt("outputSchema"),
    },
  };
}

export function readVerdict(answer: Answer): Verdict {
  const value = readJson(answer.body);
  if (isObject(value) && (answer.status === 200 || answer.status === 400)) {
    if (value["valid"] === true) return { kind: "valid" };
    const issues = readIssues(value["errors"]);
    if (issues.length > 0) return { kind: "invalid", issues };
  }
  return { kind: "unknown", reason: reasonOf(answer, value) };
}

export function readIssues(value: JsonValue | undefined): readonly Issue[] {
  return objectsIn(value).map((each) => ({
    path: text(each, "path"),
    message: textOrNull(each, "message") ?? "The value is not accepted.",
    keyword: textOrNull(each, "keyword"),
    hint: textOrNull(each, "hint"),
    causes: readIssues(each["causes"]),
  }));
}

/** The server's own sentence where it sent one, else one for the status. */
export function reasonOf(answer: Answer, value: JsonValue | undefined): string {
  if (answer.status === 413) return "The arguments are larger than this server accepts.";
  if (answer.status === 503) return "The server is busy.";
  const own = textOrNull(value, "error");
  // It may quote a name.
  return own === null ? `The server answered with status ${answer.status}.` : visibleText(own);
}

/** Read an answer that ought to be an object; `read` answers `null` where it is not the right one. */
export function readObject<T>(answer: Answer, read: (value: JsonObject, root: JsonNode, body: string) => T | null): Loaded<T> {
  const parsed = parseJson(answer.body);
  const value = parsed.ok && answer.status === 200 ? toValue(parsed.root) : undefined;
  const found = parsed.ok && isObject(value) ? read(value, parsed.root, answer.body) : null;
  return found === null ? failedLoad(answer) : { value: found };
}

/** Why there is nothing to show; an answer of the wrong shape has no words of its own. */
export function failedLoad(answer: Answer): { problem: string; status: number } {
  const value = readJson(answer.body);
  if (answer.status === 200) return { problem: "The server's answer cannot be read.", status: 200 };
  return failed(answer, value);
}

function failed(answer: Answer, value: JsonValue | undefined): { problem: string; status: number } {
  return { problem: reasonOf(answer, value), status: answer.status };
}

function summary(tool: JsonObject): ToolSummary {
  return {
    ...textsOf(tool, "name", "description"),
    annotations: annotations(tool["annotations"]),
  };
}

function annotations(value: JsonValue | undefined): Annotations {
  // Only booleans count: a server may send anything here.
  return Object.fromEntries(HINTS.map((hint) => [hint, member(value, hint)]).filter(([, given]) => typeof given === "boolean"));
}
