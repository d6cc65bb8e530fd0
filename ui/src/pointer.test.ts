import { expect, test } from "vitest";
import { arrayIndex, parsePointer } from "./pointer";

test("RFC 6901 section 5 examples", () => {
  expect(parsePointer("")).toEqual([]);
  expect(parsePointer("/foo/0")).toEqual(["foo", "0"]);
  expect(parsePointer("/")).toEqual([""]);
  expect(parsePointer("/a~1b")).toEqual(["a/b"]);
  expect(parsePointer("/m~0n")).toEqual(["m~n"]);
  expect(parsePointer("/~01")).toEqual(["~1"]);
  expect(parsePointer("a")).toBeNull();
});

test("array indices have no leading zero and no sign", () => {
  expect(arrayIndex("0")).toBe(0);
  expect(arrayIndex("12")).toBe(12);
  expect(["01", "-1", "-", "", "1.0", "1e1"].map(arrayIndex)).toEqual(Array(6).fill(null));
});
