import { expect, test } from "vitest";
import { formatDuration } from "./duration";
import { issueProblems, localProblems, toDiagnostics } from "./editor/diagnostics";
import { parseJson } from "./json/parse";
import { readiness } from "./readiness";

test("a call is held back with the first reason there is", () => {
  const parsed = parseJson("{}");
  const invalid = { kind: "invalid", issues: [] } as const;
  expect(readiness({ allowExecute: true, parsed, verdict: null, pending: false })).toEqual({ ok: true });
  expect(readiness({ allowExecute: true, parsed, verdict: { kind: "unknown", reason: "" }, pending: false }).ok).toBe(true);
  expect(readiness({ allowExecute: true, parsed, verdict: invalid, pending: false }).ok).toBe(false);
  expect(readiness({ allowExecute: true, parsed: parseJson("[]"), verdict: { kind: "valid" }, pending: false }).ok).toBe(false);
  expect(readiness({ allowExecute: true, parsed: parseJson("{"), verdict: { kind: "valid" }, pending: false }).ok).toBe(false);
  expect(readiness({ allowExecute: true, parsed, verdict: invalid, pending: true })).toMatchObject({ ok: false, waits: true });
  expect(readiness({ allowExecute: true, parsed, verdict: invalid, pending: false })).toMatchObject({ ok: false, waits: false });
  expect(readiness({ allowExecute: false, parsed, verdict: { kind: "valid" }, pending: false }).ok).toBe(false);
});

test("problems carry place, line and words into the editor", () => {
  const text = '{\n  "a": 1,\n  "a": 2\n}';
  const parsed = parseJson(text);
  const issue = { path: "/a", message: "too small", keyword: "minimum", hint: "at least 3", causes: [] };
  const problems = [...localProblems(text, parsed), ...issueProblems(text, parsed, [issue])];
  expect(problems.map(({ severity, line, column }) => [severity, line, column])).toEqual([
    ["warning", 2, 3],
    ["error", 3, 8],
  ]);
  expect(toDiagnostics(problems, text.length)[1]).toEqual({
    from: 19, to: 20, severity: "error", message: "too small\nat least 3", source: "minimum",
  });
  expect(toDiagnostics(problems, 5)[1]).toMatchObject({ from: 5, to: 5 });
});

test("broken JSON is one problem and the server's issues wait", () => {
  const parsed = parseJson('{"a": }');
  expect(localProblems('{"a": }', parsed)).toMatchObject([{ severity: "error", place: { from: 6 } }]);
  expect(issueProblems('{"a": }', parsed, [{ path: "", message: "", keyword: null, hint: null, causes: [] }])).toEqual([]);
});

test("durations are short", () => {
  expect([0.2, 999, 1_234, 12_345].map(formatDuration)).toEqual(["1 ms", "999 ms", "1.23 s", "12.3 s"]);
});
