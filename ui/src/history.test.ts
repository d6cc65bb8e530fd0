import { expect, test } from "vitest";
import { LIMITS, type Run, type Store, newRun, readRuns, storeRuns } from "./history";
import { readOutcome } from "./net/outcome";

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
});

test("long texts are not kept, and a token never is", () => {
  const answer = { status: 200, body: '{"content":[{"type":"text","text":"you sent sesame"}]}', retryAfterS: null, durationMs: 1 };
  const done = { answer, outcome: readOutcome(answer), traceId: "x" };
  const made = newRun("t", '{"token": "sesame"}', done, "sesame", 0);
  expect(JSON.stringify(made)).not.toContain("sesame");
  expect(made.args).toBe('{"token": "[token]"}');
  expect(newRun("t", "x".repeat(LIMITS.textChars + 1), done, null, 0).args).toBeNull();
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
