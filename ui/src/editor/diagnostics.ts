import type { Diagnostic } from "@codemirror/lint";
import type { Issue } from "../net/read";
import { type Parsed } from "../json/parse";
import { type Place, type LineColumn, linesOf, placeOf, repeatedKeys } from "../positions";

/** A problem with the arguments, at its place in the text. */
export interface Problem extends LineColumn {
  readonly severity: "error" | "warning";
  readonly place: Place;
  readonly issue: Issue;
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

/** The server's issues, in its order. */
export function issueProblems(text: string, parsed: Parsed, issues: readonly Issue[]): readonly Problem[] {
  if (!parsed.ok) return [];
  const lines = linesOf(text);
  return issues.map((each) => problem(lines, "error", placeOf(parsed.root, each.path, text), each));
}

/** In CodeMirror's form. Its ranges must lie inside the document. */
export function toDiagnostics(problems: readonly Problem[], length: number): Diagnostic[] {
  return problems.map(({ severity, place, issue: { message, keyword, hint } }) => ({
    from: Math.min(place.from, length),
    to: Math.min(Math.max(place.to, place.from), length),
    severity,
    message: [message, hint].filter((part) => part !== null).join("\n"),
    ...(keyword === null ? {} : { source: keyword }),
  }));
}

function problem(
  lines: (offset: number) => LineColumn,
  severity: Problem["severity"],
  place: Place,
  each: Issue,
): Problem {
  return { severity, place, issue: each, ...lines(place.from) };
}

function issue(path: string, message: string, keyword: string | null): Issue {
  return { path, message, keyword, hint: null, causes: [] };
}
