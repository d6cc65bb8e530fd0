import { expect, test } from "vitest";
import { prettyJson } from "./print";
import { ExactNumber, readJson, writeJson } from "./value";

test("laying out changes no token", () => {
  expect(prettyJson('{"b":1.0,"a":12345678901234567890,"a":"\\u00e9","e":{},"l":[1,2]}')).toBe(
    '{\n  "b": 1.0,\n  "a": 12345678901234567890,\n  "a": "\\u00e9",\n  "e": {},\n  "l": [1, 2]\n}',
  );
});

test("objects in arrays get lines of their own", () => {
  expect(prettyJson('[{"a":1}]')).toBe('[\n  {\n    "a": 1\n  }\n]');
});

test("what is not JSON comes back unchanged", () => {
  expect(prettyJson("<html>")).toBe("<html>");
});

test("values keep numbers that JavaScript would change", () => {
  expect(readJson("[1, 1.0, 12345678901234567890]")).toEqual([
    1,
    new ExactNumber("1.0"),
    new ExactNumber("12345678901234567890"),
  ]);
  expect(writeJson(readJson("[1.0,12345678901234567890,-0]") ?? null, "", "")).toBe(
    "[1.0, 12345678901234567890, -0]",
  );
});

test("__proto__ is a key like any other", () => {
  expect(writeJson(readJson('{"__proto__": {"a": 1}}') ?? null, "", "")).toBe('{"__proto__": {"a": 1}}');
});
