import type { Diagnostic } from "@codemirror/lint";
import { type Parsed } from "../json/parse";
import { toValue } from "../json/value";
import { visibleText } from "../names";
import type { Issue } from "../net/read";
import { type LineColumn, type Place, linesOf, placeOf, repeatedKeys } from "../positions";
import type { FindLine, SchemaLine } from "../schema/locate";

/** A problem with the arguments, at its place in the text. */
export interface Problem extends LineColumn {
  readonly severity: "error" | "warning";
  readonly place: Place;
  readonly issue: Issue;
  /** The line of the schema that asks for what is missing, where it can be found. */
  readonly schemaLine: SchemaLine | null;
  /** Of a union: why the branch that was probably meant does not fit. */
  readonly causes: readonly Problem[];
}

/** The problems that the page finds by itself: broken JSON, and keys that lose. */
export function localProblems(text: string, parsed: Parsed): readonly Problem[] {
  const lines = linesOf(text);
  if (!parsed.ok) {
    const { message, from, to } = parsed.problem;
    return [problem(lines, "error", { from, to, exists: true }, issue("", message, null))];
  }
  return repeatedKeys(parsed.root).map(({ key, from, to }) =>
    problem(
      lines,
      "warning",
      { from, to, exists: true },
      issue("", `The key ${JSON.stringify(key)} stands here more than once; the last one counts.`, null),
    ),
  );
}

/** What is typed into the form and is no value yet, at the place where the value should be. */
export function draftProblem(text: string, parsed: Parsed, pointer: string, message: string): Problem | null {
  if (!parsed.ok) return null;
  return problem(linesOf(text), "error", placeOf(parsed.root, pointer, text), issue(pointer, message, null));
}

/** The server's issues, in its order. */
export function issueProblems(
  text: string,
  parsed: Parsed,
  issues: readonly Issue[],
  findLine: FindLine = () => null,
): readonly Problem[] {
  if (!parsed.ok || issues.length === 0) return [];
  const lines = linesOf(text);
  const { root } = parsed;
  const instance = toValue(root);
  const place = (each: Issue): Problem => ({
    ...problem(lines, "error", placeOf(root, each.path, text), each),
    schemaLine: findLine(each.path, each.keyword, instance),
    causes: each.causes.map(place),
  });
  return issues.map(place);
}

/** In CodeMirror's form. Its ranges must lie inside the document. */
export function toDiagnostics(problems: readonly Problem[], length: number): Diagnostic[] {
  return problems.map(({ severity, place, schemaLine, issue: { message, keyword, hint } }) => ({
    from: Math.min(place.from, length),
    to: Math.min(Math.max(place.to, place.from), length),
    severity,
    message: [message, hint, schemaLine && lineText(schemaLine)].filter((part) => part !== null).map((each) => visibleText(each)).join("\n"),
    ...(keyword === null ? {} : { source: keyword }),
  }));
}

export function lineText({ line, text }: SchemaLine): string {
  return `Schema, line ${line}: ${visibleText(text)}`;
}

function problem(
  lines: (offset: number) => LineColumn,
  severity: Problem["severity"],
  place: Place,
  each: Issue,
): Problem {
  return { severity, place, issue: each, schemaLine: null, causes: [], ...lines(place.from) };
}

function issue(path: string, message: string, keyword: string | null): Issue {
  return { path, message, keyword, hint: null, causes: [] };
}
