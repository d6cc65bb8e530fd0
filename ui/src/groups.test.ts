import { expect, test } from "vitest";
import { filterTools, firstSegment, groupTools, listItems } from "./groups";

const tools = (...names: string[]) => names.map((name) => ({ name, description: "" }));
const told = (...names: string[]) =>
  groupTools(tools(...names)).map(({ segment, tools: members }) => [segment, members.map(({ name }) => name)]);

test("the first segment ends at the first separator of any kind", () => {
  const given = ["git/log", "git.log", "git__log", "git_log", "git-log", "log", "_log", "a__b_c", "/x", "__x_y"];
  expect(given.map(firstSegment)).toEqual(["git", "git", "git", "git", null, null, null, "a", null, "_"]);
});

test("three that share a segment are a group, two are not", () => {
  expect(told("git_log", "pet_a", "git/diff", "git.show", "pet_b")).toEqual([
    ["git", ["git_log", "git/diff", "git.show"]],
    [null, ["pet_a", "pet_b"]],
  ]);
  expect(told("a_1", "a_2")).toEqual([[null, ["a_1", "a_2"]]]);
  expect(told()).toEqual([]);
});

test("groups stand where their first tool stood, and keep its order", () => {
  expect(told("x", "b_1", "a_1", "b_2", "a_2", "a_3", "b_3").map(([segment]) => segment)).toEqual(["b", "a", null]);
});

test("a closed group shows its head and its count alone", () => {
  const groups = groupTools(tools("a_1", "a_2", "a_3", "z"));
  const rows = listItems(groups, new Set(["a"]));
  expect(rows).toEqual([
    { kind: "group", segment: "a", count: 3, isOpen: false },
    { kind: "group", segment: null, count: 1, isOpen: true },
    { kind: "tool", tool: { name: "z", description: "" }, segment: null },
  ]);
});

test("a list without groups has no heads, and cannot be closed", () => {
  const rows = listItems(groupTools(tools("a", "b")), new Set([null]));
  expect(rows.map(({ kind }) => kind)).toEqual(["tool", "tool"]);
});

const KNOWN = [
  { name: "get_weather", description: "Forecast for a city" },
  { name: "orders.create", description: "Create an ORDER" },
];

test("every word must be in the name or the description", () => {
  const names = (query: string) => filterTools(KNOWN, query).map(({ name }) => name);
  expect(names("")).toEqual(["get_weather", "orders.create"]);
  expect(names("  order ")).toEqual(["orders.create"]);
  expect(names("city WEATHER")).toEqual(["get_weather"]);
  expect(names("city order")).toEqual([]);
});
