import { expect, test } from "vitest";
import { matchKeys } from "./useKeys";

function after(before: string, now: string): string {
  let fresh = 100;
  const known = { texts: [...before], keys: [...before].map((_, index) => index) };
  return matchKeys(known, [...now], () => fresh++).join(" ");
}

test("an item that is as it was keeps its key, wherever it is now", () => {
  expect(after("abc", "abc")).toBe("0 1 2");
  expect(after("abc", "ac")).toBe("0 2");
  expect(after("abc", "cab")).toBe("2 0 1");
  expect(after("abc", "cba")).toBe("2 1 0");
  expect(after("abc", "xabc")).toBe("100 0 1 2");
  expect(after("abc", "")).toBe("");
  expect(after("", "ab")).toBe("100 101");
});

test("an item that is edited keeps its key as well", () => {
  expect(after("abc", "axc")).toBe("0 1 2");
  expect(after("abc", "axy")).toBe("0 1 2");
  expect(after("abc", "cxb")).toBe("2 0 1");
});

test("no key is given twice, also where items are equal", () => {
  expect(after("aab", "ab")).toBe("0 2");
  expect(after("aa", "aaa")).toBe("0 1 100");
  for (const [before, now] of [["abab", "bbaa"], ["aab", "baax"], ["abc", "ccc"]] as const) {
    const keys = after(before, now).split(" ");
    expect(new Set(keys).size).toBe(now.length);
  }
});
