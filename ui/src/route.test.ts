import { expect, test } from "vitest";
import { inArguments, logHash, placeOf, toolHash } from "./route";

test("each view of a tool has an address of its own", () => {
  const more = { view: "targets", target: "openai-strict" } as const;
  for (const name of ["a/b", "a?view=targets", "é🎉", "100%", "a&target=x#y"]) {
    expect(placeOf(toolHash(name, more))).toEqual({
      page: "tool", name, view: "targets", target: "openai-strict", run: null, faults: [],
    });
    expect(placeOf(toolHash(name))).toMatchObject({ name, view: "try", target: null });
  }
});

test("what a line of the log said travels in the address", () => {
  const faults = [{ path: "/params/arguments/a@b/~1", keyword: "type" }, { path: "", keyword: null }];
  expect(placeOf(toolHash("t", { faults, run: "7" }))).toMatchObject({ faults, run: "7" });
  const many = Array.from({ length: 50 }, (_, n) => ({ path: `/${n}`, keyword: "type" }));
  expect(placeOf(toolHash("t", { faults: many }))).toMatchObject({ faults: many.slice(0, 8) });
});

test("the other pages have theirs, and everything else is the list", () => {
  expect(placeOf("#/targets")).toEqual({ page: "targets" });
  expect(placeOf(logHash("a b&c"))).toEqual({ page: "log", trace: "a b&c" });
  expect(placeOf(logHash())).toEqual({ page: "log", trace: null });
  for (const hash of ["", "#", "#/", "#/tools/", "#/else"]) expect(placeOf(hash)).toEqual({ page: "list" });
});

test("a pointer into a message becomes one into the arguments", () => {
  expect(inArguments("/params/arguments/city")).toBe("/city");
  expect(inArguments("/params/input")).toBe("");
  expect(inArguments("/params/inputs/x")).toBeNull();
  expect(inArguments("/result/output/x")).toBeNull();
});
