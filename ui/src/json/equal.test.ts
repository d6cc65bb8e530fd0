import { expect, test } from "vitest";
import { isSame, numberKey } from "./equal";
import { readJson } from "./value";

function same(first: string, second: string): boolean {
  return isSame(readJson(first) ?? null, readJson(second) ?? null);
}

test("numbers are the same by value, whatever their spelling", () => {
  for (const other of ["1.0", "1e0", "10e-1", "0.1e1", "1.000"]) expect(same("1", other), other).toBe(true);
  expect(same("12345678901234567890", "12345678901234567891")).toBe(false);
  expect(same("0", "-0.0")).toBe(true);
  expect(same("-1", "1")).toBe(false);
  expect(numberKey("1200")).toBe(numberKey("1.2e3"));
});

test("values of different types are never the same", () => {
  const values = ["0", "false", "null", '""', "[]", "{}", '"0"', '"null"'];
  for (const [at, first] of values.entries()) {
    for (const [other, second] of values.entries()) expect(same(first, second), `${first} ${second}`).toBe(at === other);
  }
});

test("the order of keys is nothing, the order of items is something", () => {
  expect(same('{"a": 1, "b": [1]}', '{"b": [1.0], "a": 1}')).toBe(true);
  expect(same("[1, 2]", "[2, 1]")).toBe(false);
  expect(same('{"a": "x"}', '{"a": "x", "b": null}')).toBe(false);
});
