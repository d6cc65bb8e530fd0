import { expect, test } from "vitest";
import { readConfig, safeLink } from "./config";

test("what is missing or odd gets its default", () => {
  const defaults = { title: "toolgauge", allowExecute: false, projectName: null, projectUrl: null, version: null, hasLog: false, mcpPath: null };
  for (const text of ["{}", "", "null", "[]", '{"title": 5, "allowExecute": "yes", "version": ""}']) {
    expect(readConfig(text)).toEqual(defaults);
  }
  expect(readConfig('{"title": "T", "allowExecute": true, "version": "1", "log": true, "mcpPath": "mcp"}')).toEqual({
    ...defaults, title: "T", allowExecute: true, version: "1", hasLog: true, mcpPath: "mcp",
  });
});

test("only web, mail and own paths become links", () => {
  for (const url of ["https://example.org/x", "http://h", "mailto:a@example.org", "/docs"]) {
    expect(safeLink(url)).toBe(url);
  }
  for (const url of ["javascript:alert(1)", " javascript:alert(1)", "data:text/html,x", "//evil", "/\\evil", "/\t/evil", "x", "", null]) {
    expect(safeLink(url)).toBeNull();
  }
});
