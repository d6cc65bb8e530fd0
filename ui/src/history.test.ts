import { expect, test } from "vitest";
import { LIMITS, type Run, newRun, readRuns, storeRuns } from "./history";
import { readOutcome } from "./net/outcome";
import type { Store } from "./state/storage";

function memory(maxChars = Infinity): Store & { readonly held: Map<string, string> } {
  const held = new Map<string, string>();
  return {
    held,
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > maxChars) throw new DOMException("full", "QuotaExceededError");
      held.set(key, value);
    },
    removeItem: (key) => void held.delete(key),
  };
}

function run(n: number, tool = "t", more: Partial<Run> = {}): Run {
  const answer = { status: 200, body: '{"content":[],"isError":false}', retryAfterS: null, durationMs: 3 };
  const made = newRun(tool, `{"n":${n}}`, { answer, outcome: readOutcome(answer), traceId: `trace ${n}` }, null, n);
  return { ...made, ...more };
}

test("runs come back as they were, newest first", () => {
  const store = memory();
  storeRuns(store, "k", [run(2), run(1)]);
  expect(readRuns(store, "k")).toEqual([run(2), run(1)]);
  storeRuns(store, "k", []);
  expect(store.held.size).toBe(0);
});

test("a tool has so many runs, and the page so many characters", () => {
  const many = Array.from({ length: 50 }, (_, n) => run(n));
  expect(storeRuns(memory(), "k", [...many, run(99, "other")])).toHaveLength(LIMITS.runsOfTool + 1);
  const tools = Array.from({ length: 500 }, (_, n) => run(n, `t${n}`));
  expect(storeRuns(memory(), "k", tools)).toHaveLength(LIMITS.runs);
  const fat = Array.from({ length: 100 }, (_, n) => run(n, `t${n}`, { body: "x".repeat(LIMITS.textChars) }));
  expect(storeRuns(memory(), "k", fat).length).toBeLessThan(LIMITS.chars / LIMITS.textChars);
});

test("a full storage keeps the newest, and one that is forbidden keeps nothing and breaks nothing", () => {
  const store = memory(300);
  const kept = storeRuns(store, "k", [run(3), run(2), run(1)]);
  expect(kept).toEqual([run(3)]);
  expect(readRuns(store, "k")).toEqual(kept);
  const none: Store = {
    getItem: () => { throw new DOMException("no", "SecurityError"); },
    setItem: () => { throw new DOMException("no", "SecurityError"); },
    removeItem: () => { throw new DOMException("no", "SecurityError"); },
  };
  expect(readRuns(none, "k")).toEqual([]);
  expect(storeRuns(none, "k", [run(1)])).toEqual([run(1)]);
  expect(readRuns(null, "k")).toEqual([]);
  expect(storeRuns(null, "k", [run(1)])).toEqual([run(1)]);
});

test("long texts are not kept, and a token never is", () => {
  const answer = { status: 200, body: '{"content":[{"type":"text","text":"you sent sesame"}]}', retryAfterS: null, durationMs: 1 };
  const done = { answer, outcome: readOutcome(answer), traceId: "x" };
  const made = newRun("t", '{"token": "sesame"}', done, "sesame", 0);
  expect(JSON.stringify(made)).not.toContain("sesame");
  expect(made).toMatchObject({ args: '{"token": "[token]"}', argsKept: "masked", bodyKept: "masked" });
  expect(newRun("t", "x".repeat(LIMITS.textChars + 1), done, null, 0).args).toBeNull();
});

test("a token that could be any word costs the text and not the run", () => {
  const answer = { status: 200, body: '{"content":[{"type":"text","text":"a test"}],"isError":true}', retryAfterS: null, durationMs: 1 };
  const done = { answer, outcome: readOutcome(answer), traceId: "x" };
  for (const token of ["1", "t", "test", "content", "type"]) {
    const made = newRun("t", '{"n": 1, "content": "test", "type": 2}', done, token, 0);
    expect(made).toMatchObject({ verdict: "error", status: 200, args: null, argsKept: "secret" });
    expect(made.body ?? "").not.toContain(token);
    expect(made.body === null || readOutcome({ ...answer, body: made.body })).toEqual(made.body === null || done.outcome);
  }
});

test("what is no history is none", () => {
  const store = memory();
  for (const text of ["{", "5", "null", '[1, null, {"id": 5}, {"id":"a","tool":"t"}]']) {
    store.setItem("k", text);
    expect(readRuns(store, "k")).toEqual([]);
  }
});

test("the verdict is that of the answer", () => {
  const of = (status: number, body: string) => {
    const answer = { status, body, retryAfterS: null, durationMs: 1 };
    return newRun("t", "{}", { answer, outcome: readOutcome(answer), traceId: "x" }, null, 0).verdict;
  };
  expect(of(200, '{"content":[]}')).toBe("good");
  expect(of(500, '{"content":[],"isError":true}')).toBe("error");
  expect(of(400, '{"errors":[{"path":"","message":"m"}]}')).toBe("refused");
});
