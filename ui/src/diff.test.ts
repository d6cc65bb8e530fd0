import { expect, test } from "vitest";
import { diffLines, folded, isSameText } from "./diff";

const told = (left: string, right: string) =>
  diffLines(left, right).map(({ kind, left: was, right: is }) => [kind[0], was?.text ?? null, is?.text ?? null]);

test("equal lines stand at the same height, changed ones beside each other", () => {
  expect(told("a\nb\nc\ne", "a\nB\nc\nd\ne")).toEqual([
    ["s", "a", "a"],
    ["c", "b", "B"],
    ["s", "c", "c"],
    ["c", null, "d"],
    ["s", "e", "e"],
  ]);
  expect(told("a\nb", "a")).toEqual([["s", "a", "a"], ["c", "b", null]]);
});

test("what only stands deeper, or is followed by more, is the same", () => {
  expect(told('{\n  "a": 1\n}', '{\n    "a": 1,\n  "b": 2\n}')).toEqual([
    ["s", "{", "{"], ["s", '  "a": 1', '    "a": 1,'], ["c", null, '  "b": 2'], ["s", "}", "}"],
  ]);
});

test("lines keep their numbers on each side", () => {
  const last = diffLines("a\nb\nz", "z").at(-1);
  expect([last?.left?.number, last?.right?.number]).toEqual([3, 1]);
});

test("both texts can be read back", () => {
  const left = Array.from({ length: 300 }, (_, n) => `line ${(n * 7) % 50}`).join("\n");
  const right = Array.from({ length: 280 }, (_, n) => `line ${(n * 11) % 40}`).join("\n");
  const lines = diffLines(left, right);
  expect(lines.flatMap((each) => each.left?.text ?? []).join("\n")).toBe(left);
  expect(lines.flatMap((each) => each.right?.text ?? []).join("\n")).toBe(right);
});

test("texts that have nothing in common do not take forever", () => {
  const left = Array.from({ length: 20_000 }, (_, n) => `left ${n}`).join("\n");
  const right = Array.from({ length: 20_000 }, (_, n) => `right ${n}`).join("\n");
  expect(diffLines(left, right)).toHaveLength(20_000);
});

test("long equal runs are folded, with some lines around each change", () => {
  const same = Array.from({ length: 30 }, (_, n) => `${n}`);
  const lines = diffLines([...same, "a", ...same].join("\n"), [...same, "b", ...same].join("\n"));
  const shown = folded(lines).map((each) => (each.kind === "fold" ? each.lines.length : each.kind));
  expect(shown).toEqual([27, "same", "same", "same", "changed", "same", "same", "same", 27]);
  expect(folded(diffLines("a\nb\nc\nd", "a\nb\nc\nd"))).toMatchObject([{ kind: "fold" }]);
  expect(isSameText(diffLines("a", "a"))).toBe(true);
  expect(isSameText(lines)).toBe(false);
});
