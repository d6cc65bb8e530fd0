import { expect, test } from "vitest";
import { filterTools } from "./filter";

const tools = [
  { name: "get_weather", description: "Forecast for a city" },
  { name: "orders.create", description: "Create an ORDER" },
];

test("every word must be in the name or the description", () => {
  const names = (query: string) => filterTools(tools, query).map(({ name }) => name);
  expect(names("")).toEqual(["get_weather", "orders.create"]);
  expect(names("  order ")).toEqual(["orders.create"]);
  expect(names("city WEATHER")).toEqual(["get_weather"]);
  expect(names("city order")).toEqual([]);
});
