import { expect, test } from "vitest";
import { type LogAnswer, filterLines, joinLines, readLog } from "./log";

function answer(body: unknown, status = 200) {
  return { status, body: typeof body === "string" ? body : JSON.stringify(body), retryAfterS: null, durationMs: 1 };
}

function read(body: unknown): LogAnswer {
  const found = readLog(answer(body));
  if (!("value" in found)) throw new Error(found.problem);
  return found.value;
}

const record = (number: number, more = {}) => ({
  number, ts: "2026-11-28T09:30:00.123Z", traceId: `t${number}`, spanId: "s", requestId: "r", durationMs: 1.5,
  transport: "http", route: "/call", method: "tools/call", tool: "mcp.tool:a/b", status: 200, canonicalCode: null,
  errors: [], ...more,
});

test("a line is read without its envelope", () => {
  const errors = [{ path: "/params/arguments/city", keyword: "required" }, { path: 5, keyword: null }];
  const [line] = read({ feed: "f", last: 1, records: [record(1, { errors })] }).lines;
  expect(line).toMatchObject({ tool: "a/b", durationMs: 1.5, code: null, route: "/call" });
  expect(line?.errors).toEqual([{ path: "/params/arguments/city", keyword: "required" }, { path: "", keyword: null }]);
  const body = JSON.stringify({ feed: "f", last: 1, records: [record(1)] }).replace("1.5", "2.0");
  expect(read(body).lines[0]?.durationMs).toBe(2);
});

test("what is no log has a reason", () => {
  for (const body of ["{", "5", "{}", '{"records": 5}']) expect(readLog(answer(body))).toHaveProperty("problem");
  expect(readLog(answer({ error: "Unauthorized" }, 401))).toEqual({ problem: "Unauthorized", status: 401 });
});

test("new lines follow the known ones, each once, up to a bound", () => {
  const first = read({ feed: "f", last: 2, records: [record(1), record(2)] });
  const second = read({ feed: "f", last: 3, records: [record(2), record(3)] });
  expect(joinLines(first, second, 10).lines.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(joinLines(first, second, 2).lines.map(({ number }) => number)).toEqual([2, 3]);
  expect(joinLines(null, second, 10).lines).toHaveLength(2);
});

test("a server that was started anew begins anew", () => {
  const first = read({ feed: "f", last: 9, records: [record(9)] });
  const other = read({ feed: "g", last: 1, records: [record(1)] });
  expect(joinLines(first, other, 10).lines.map(({ number }) => number)).toEqual([1]);
});

test("lines are filtered by tool, code and trace", () => {
  const { lines } = read({
    feed: "f", last: 3,
    records: [record(1), record(2, { tool: "mcp.tool:Other", status: 400, canonicalCode: "INVALID_INPUT" }), record(3, { tool: null, status: 499 })],
  });
  const told = (filter: object) => filterLines(lines, { tool: "", code: "", trace: null, ...filter }).map(({ number }) => number);
  expect(told({})).toEqual([1, 2, 3]);
  expect(told({ tool: "other" })).toEqual([2]);
  expect(told({ code: "failed" })).toEqual([2, 3]);
  expect(told({ code: "INVALID_INPUT" })).toEqual([2]);
  expect(told({ trace: "t1" })).toEqual([1]);
});
