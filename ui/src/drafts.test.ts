import { expect, test } from "vitest";
import { LIMITS, createDrafts } from "./drafts";
import type { Store } from "./state/storage";

function memory(): Store & { readonly held: Map<string, string> } {
  const held = new Map<string, string>();
  return {
    held,
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => void held.set(key, value),
    removeItem: (key) => void held.delete(key),
  };
}

test("drafts come back as they were typed", () => {
  const store = memory();
  const drafts = createDrafts(store, "k");
  drafts.set("a", '{"n": 1.0');
  drafts.set("b", "{}");
  const later = createDrafts(store, "k");
  expect([later.get("a"), later.get("b"), later.get("c")]).toEqual(['{"n": 1.0', "{}", undefined]);
});

test("long ones and the oldest last as long as the page", () => {
  const store = memory();
  const drafts = createDrafts(store, "k");
  for (let n = 0; n < 10; n++) drafts.set(`t${n}`, "x".repeat(LIMITS.textChars - 100));
  drafts.set("long", "x".repeat(LIMITS.textChars + 1));
  expect(drafts.get("t0")).toHaveLength(LIMITS.textChars - 100);
  expect(drafts.get("long")).toHaveLength(LIMITS.textChars + 1);
  const later = createDrafts(store, "k");
  expect(["t0", "t5", "t6", "t9", "long"].map((tool) => later.get(tool) !== undefined)).toEqual([
    false, false, true, true, false,
  ]);
});

test("a token is not stored, typed before it is known or after", () => {
  const store = memory();
  const drafts = createDrafts(store, "k");
  drafts.set("before", '{"a": "my sesame"}');
  expect([...store.held.values()].join()).toContain("sesame");
  drafts.hide("sesame");
  drafts.set("after", '{"a": "\\u0073esame"}');
  drafts.set("other", "{}");
  expect([...store.held.values()]).toEqual(['[["other","{}"]]']);
  // It is in that text still, after the token was forgotten.
  drafts.hide(null);
  drafts.set("before", '{"a": "my sesame", "b": 1}');
  expect([...store.held.values()].join()).not.toContain("sesame");
  expect(drafts.get("before")).toContain("sesame");
});

test("storage that is forbidden, full or another's breaks nothing", () => {
  const drafts = createDrafts(null, "k");
  drafts.set("a", "{}");
  expect(drafts.get("a")).toBe("{}");
  const store = memory();
  for (const text of ["{", "5", '[1, ["a"], ["a", 1], ["b", "{}"]]']) {
    store.setItem("k", text);
    expect(createDrafts(store, "k").get("a")).toBeUndefined();
  }
  expect(createDrafts(store, "k").get("b")).toBe("{}");
  const full: Store = { ...memory(), setItem: () => { throw new DOMException("full", "QuotaExceededError"); } };
  createDrafts(full, "k").set("a", "{}");
});
