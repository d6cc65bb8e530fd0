import { expect, test } from "vitest";
import { type JsonNode, parseJson } from "./parse";
import { openAtStart, rowsOf } from "./tree";

function parsed(text: string): JsonNode {
  const found = parseJson(text);
  if (!found.ok) throw new Error(found.problem.message);
  return found.root;
}

test("rows stand in the document's order, with their pointers and levels", () => {
  const root = parsed('{"a": [1, {"b/~": null}], "c": {}}');
  const rows = rowsOf(root, openAtStart(root));
  expect(rows.map(({ pointer, level, size }) => [pointer, level, size])).toEqual([
    ["", 1, 2], ["/a", 2, 2], ["/a/0", 3, 0], ["/a/1", 3, 1], ["/a/1/b~1~0", 4, 0], ["/c", 2, 0],
  ]);
});

test("what is closed hides what is below it", () => {
  const root = parsed('{"a": [1, 2], "b": [3]}');
  expect(rowsOf(root, new Set(["", "/b"])).map(({ pointer }) => pointer)).toEqual(["", "/a", "/b", "/b/0"]);
  expect(rowsOf(root, new Set())).toHaveLength(1);
});

test("ten thousand elements are a row each, and their parts are closed", () => {
  const root = parsed(JSON.stringify(Array.from({ length: 10_000 }, (_, id) => ({ id, tags: ["a"] }))));
  expect(rowsOf(root, openAtStart(root))).toHaveLength(10_001);
});

test("a plain value is a tree of one row", () => {
  expect(rowsOf(parsed("1.0"), new Set())).toMatchObject([{ pointer: "", label: null, isOpen: false }]);
});
