import { expect, test } from "vitest";
import { encodeName, unreachableReason, visibleName, visibleText } from "./names";
import { toolHash, toolOfHash } from "./route";

test("deceptive characters are spelt out", () => {
  expect(visibleName("a\u202eb\u200bc\n")).toBe("a\\u202eb\\u200bc\\u000a");
  expect(visibleName("\ud800x")).toBe("\\ud800x");
  expect(visibleName("name é 🎉 עברית")).toBe("name é 🎉 עברית");
  expect(visibleName("")).toBe("(empty name)");
});

test("running text keeps its line breaks but loses the power to reorder", () => {
  expect(visibleText("a\n\u202eb\u200d")).toBe("a\n\\u202eb\u200d");
});

test("names without a URL are explained, all others are reachable", () => {
  for (const name of ["", ".", "..", "\ud800"]) expect(unreachableReason(name)).not.toBeNull();
  for (const name of ["...", "a/b", "validate", "%2F", " ", "é"]) expect(unreachableReason(name)).toBeNull();
});

test("an address leads to its tool and back", () => {
  for (const name of ["a/b", "validate", "<img src=x>", "100%", "é🎉", "a#b?c", "%2F"]) {
    expect(toolOfHash(toolHash(name))).toBe(name);
  }
  expect(toolHash("a/b")).toBe("#/tools/a%2Fb");
  expect(encodeName("\ud800")).toBeNull();
  expect(["", "#", "#/", "#/tools/", "#/other"].map(toolOfHash)).toEqual(Array(5).fill(null));
  expect(toolOfHash("#/tools/100%")).toBe("100%");
});

test("a long text is cut, and says how long it is", () => {
  expect(visibleText("x".repeat(5_000))).toHaveLength(5_000);
  expect(visibleText(`\u202e${"x".repeat(1_000_000)}`)).toMatch(/^\\u202ex+… \(1,000,001 characters\)$/);
  expect(visibleText("x".repeat(20), 10)).toBe(`${"x".repeat(10)}… (20 characters)`);
  expect(visibleName("x".repeat(2_000)).length).toBeLessThan(600);
});
