import { expect, test } from "vitest";
import { startOf } from "./start";

test("a part begins as what was asked for, with its default where that is one", () => {
  expect(startOf({ default: null, required: ["a"], properties: { a: { type: "string" } } }, "object", {})).toEqual({ a: "" });
  expect(startOf({ default: { a: 1 } }, "object", {})).toEqual({ a: 1 });
  expect(startOf({ default: "none", minItems: 1, items: { type: "integer" } }, "array", {})).toEqual([0]);
  expect(startOf({ examples: [null] }, "string", {})).toBe("");
});
