import { describe, expect, test } from "vitest";
import { changeBetween, nodeAt, removeAt, renameAt, setAt, swapItems, textOf } from "./edit";
import { parseJson } from "./parse";

const TALL = '{\n  "a": 1.0,\n  "big": 12345678901234567890,\n  "z": [1, 2]\n}';

describe("setAt", () => {
  test("changes one value and no other character", () => {
    expect(setAt(TALL, ["a"], "2")).toBe(TALL.replace("1.0", "2"));
    expect(setAt(TALL, ["z", 1], "20")).toBe(TALL.replace("[1, 2]", "[1, 20]"));
    expect(setAt('{"a":{"b":1e2 ,"c" : 1.0}}', ["a", "b"], "7")).toBe('{"a":{"b":7 ,"c" : 1.0}}');
  });

  test("gives a new member the place that the schema has for it", () => {
    const order = ["first", "a", "middle", "z", "last"];
    expect(setAt(TALL, ["middle"], '"m"', order)).toBe(TALL.replace("1.0,", '1.0,\n  "middle": "m",'));
    expect(setAt(TALL, ["last"], "0", order)).toBe(TALL.replace("[1, 2]", '[1, 2],\n  "last": 0'));
    expect(setAt(TALL, ["first"], "0", order)).toBe(TALL.replace('"a"', '"first": 0,\n  "a"'));
    expect(setAt(TALL, ["unknown"], "0", order)).toBe(TALL.replace("[1, 2]", '[1, 2],\n  "unknown": 0'));
  });

  test("keeps the layout of what is around it", () => {
    expect(setAt("{}", ["a"], "1")).toBe('{\n  "a": 1\n}');
    expect(setAt('{"a": 1}', ["b"], "2")).toBe('{"a": 1, "b": 2}');
    expect(setAt('{"b": 1}', ["a"], "2", ["a", "b"])).toBe('{"a": 2, "b": 1}');
    expect(setAt('{\n\t"a": {}\n}', ["a", "b"], "[\n  1\n]")).toBe('{\n\t"a": {\n\t  "b": [\n\t    1\n\t  ]\n\t}\n}');
    expect(setAt("[\n  1\n]", [1], "2")).toBe("[\n  1,\n  2\n]");
    expect(setAt("[]", [0], "{}")).toBe("[\n  {}\n]");
  });

  test("makes what is missing on the way, and replaces what cannot hold the rest", () => {
    expect(setAt("{}", ["a", "b", 0], "true")).toBe('{\n  "a": {\n    "b": [\n      true\n    ]\n  }\n}');
    expect(setAt('{"a": null}', ["a", "b"], "1")).toBe('{"a": {\n  "b": 1\n}}');
    expect(setAt("[1]", ["a"], "1")).toBe('{\n  "a": 1\n}');
    expect(setAt("null", [], "{}")).toBe("{}");
  });

  test("of repeated keys the last one is meant", () => {
    expect(setAt('{"a": 1, "a": 2}', ["a"], "3")).toBe('{"a": 1, "a": 3}');
  });

  test("odd keys and texts are written as JSON", () => {
    expect(setAt("{}", ["__proto__"], "1")).toBe('{\n  "__proto__": 1\n}');
    expect(setAt("{}", ['a"\n'], JSON.stringify("\ud800"))).toBe('{\n  "a\\"\\n": "\\ud800"\n}');
    expect(setAt('{"a/b~": {"": 1}}', ["a/b~", ""], "2")).toBe('{"a/b~": {"": 2}}');
  });

  test("refuses to edit what is not JSON", () => {
    expect(() => setAt("{", ["a"], "1")).toThrow(SyntaxError);
  });
});

describe("removeAt", () => {
  test("takes the comma along, wherever the part stands", () => {
    expect(removeAt(TALL, ["a"])).toBe('{\n  "big": 12345678901234567890,\n  "z": [1, 2]\n}');
    expect(removeAt(TALL, ["big"])).toBe('{\n  "a": 1.0,\n  "z": [1, 2]\n}');
    expect(removeAt(TALL, ["z"])).toBe('{\n  "a": 1.0,\n  "big": 12345678901234567890\n}');
    expect(removeAt('{\n  "a": 1\n}', ["a"])).toBe("{}");
    expect(removeAt("[1, 2, 3]", [1])).toBe("[1, 3]");
    expect(removeAt("[1, 2, 3]", [2])).toBe("[1, 2]");
  });

  test("a key that stands twice does not come back", () => {
    expect(removeAt('{"a": 1, "b": 2, "a": 3}', ["a"])).toBe('{"b": 2}');
  });

  test("what is not there stays away", () => {
    expect(removeAt(TALL, ["x"])).toBe(TALL);
    expect(removeAt(TALL, ["a", "b"])).toBe(TALL);
    expect(removeAt(TALL, ["z", 7])).toBe(TALL);
    expect(removeAt(TALL, [])).toBe(TALL);
  });
});

test("renaming keeps the value as written, and never hides another member", () => {
  expect(renameAt('{"a": 1.0}', ["a"], "b")).toBe('{"b": 1.0}');
  expect(renameAt('{"a": 1, "b": 2}', ["a"], "b")).toBe('{"a": 1, "b": 2}');
  expect(renameAt('{"a": 1}', ["x"], "b")).toBe('{"a": 1}');
  expect(renameAt("[1]", [0], "b")).toBe("[1]");
});

test("neighbours change places with their own spelling", () => {
  expect(swapItems('{"l": [1.0,\n 2e1, 3]}', ["l"], 0)).toBe('{"l": [2e1,\n 1.0, 3]}');
  expect(swapItems("[1, 2]", [], 1)).toBe("[1, 2]");
  expect(swapItems("{}", [], 0)).toBe("{}");
});

test("the text of a part stands at the left margin, and goes back as it was", () => {
  const text = '{\n  "a": {\n    "b": [\n      1.0\n    ]\n  }\n}';
  const parsed = parseJson(text);
  const node = parsed.ok && nodeAt(parsed.root, ["a"]);
  const part = node ? textOf(text, node) : "";
  expect(part).toBe('{\n  "b": [\n    1.0\n  ]\n}');
  expect(setAt(text, ["a"], part)).toBe(text);
});

test("a change is as short as it can be", () => {
  const change = (before: string, after: string): string => {
    const { from, to, insert } = changeBetween(before, after);
    expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
    return `${from}-${to} ${insert}`;
  };
  expect(change("abcd", "abXd")).toBe("2-3 X");
  expect(change("aa", "aaa")).toBe("2-2 a");
  expect(change("aaa", "aa")).toBe("2-3 ");
  expect(change("", "x")).toBe("0-0 x");
  expect(change("same", "same")).toBe("4-4 ");
});
