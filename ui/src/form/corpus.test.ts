import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { removeAt, setAt, textOf } from "../json/edit";
import { type JsonNode, parseJson } from "../json/parse";
import { type JsonValue, isArray, isObject, member, readJson, writeJson } from "../json/value";
import { accepts } from "../schema/accepts";
import { exampleJson } from "../schema/example";
import { skeleton } from "../schema/skeleton";
import { suits } from "./Body";
import { everyPlace, placesOf } from "../../tests/places";

// Tool lists of real servers; they lie beside the project, not in it.
const FOLDER = join(import.meta.dirname, "../../../../shared/corpus/toollists");
const FILES = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith(".json")).sort() : [];

interface Tool {
  readonly name: string;
  readonly schema: JsonValue;
}

function toolsOf(file: string): readonly Tool[] {
  const tools = member(readJson(readFileSync(join(FOLDER, file), "utf8")), "tools");
  return (isArray(tools) ? tools : []).filter(isObject).map((each) => ({
    name: `${file} ${String(each["name"])}`,
    schema: each["inputSchema"] ?? {},
  }));
}

const TOOLS = FILES.flatMap(toolsOf);

function rootOf(text: string): JsonNode {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.root;
}

const NAME = "all tools of the corpus (skipped where it does not lie beside the project)";

// Thirty thousand places: some seconds, and more on a busy machine.
describe.skipIf(TOOLS.length === 0)(NAME, { timeout: 180_000 }, () => {
  test("each place has a control; JSON text is the last resort for none", () => {
    const counts = new Map<string, number>();
    const odd: string[] = [];
    for (const { name, schema } of TOOLS) {
      for (const { path, view } of everyPlace(schema)) {
        const { shape } = view;
        const kind = shape.kind === "union" && shape.isOpen ? "any type" : shape.kind;
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
        if (kind === "json" || kind === "never") odd.push(`${name} ${path} ${kind}`);
      }
    }
    const all = [...counts.values()].reduce((sum, each) => sum + each, 0);
    const open = counts.get("any type") ?? 0;
    console.info(`${TOOLS.length} tools, ${all} places:`, Object.fromEntries(counts));
    console.info(`raw JSON only: ${odd.length}; schema says nothing, so the type is chosen: ${((100 * open) / all).toFixed(2)} %`);
    expect(TOOLS.length).toBeGreaterThan(1_000);
    expect(odd).toEqual([]);
  });

  test("what stands in an example is shown by the control of its place", () => {
    for (const { name, schema } of TOOLS) {
      for (const { field, view } of placesOf(schema, rootOf(exampleJson(schema, "all")))) {
        const isShown = field.node === undefined || suits(view.shape, field.node, view.isNullable);
        expect(isShown, `${name} ${field.path.join("/")} ${view.shape.kind}`).toBe(true);
      }
    }
  });

  test("form to JSON to form loses nothing", () => {
    for (const { name, schema } of TOOLS) {
      const text = exampleJson(schema, "all");
      let built = "{}";
      for (const { field } of placesOf(schema, rootOf(text))) {
        if (!field.node || field.path.length === 0) continue;
        const isHolder = field.node.kind === "object" || field.node.kind === "array";
        const value = isHolder ? (field.node.kind === "object" ? "{}" : "[]") : textOf(text, field.node);
        built = setAt(built, field.path, value, field.order);
      }
      expect(built, name).toBe(text);
    }
  });

  test("an edit of one place leaves every other token as it was, and can be taken back", () => {
    for (const { name, schema } of TOOLS) {
      const text = exampleJson(schema, "all");
      for (const { field } of placesOf(schema, rootOf(text))) {
        const { node, path, order } = field;
        if (!node || path.length === 0) continue;
        expect(setAt(text, path, textOf(text, node), order), name).toBe(text);
        if (field.role !== "property" || path.length > 1) continue;
        const without = removeAt(text, path);
        const back = setAt(without, path, textOf(text, node), order);
        expect(writeJson(readJson(back) ?? null), name).toBe(text);
      }
    }
  });

  test("examples are accepted by the page's own judge (the server's is asked from Python)", () => {
    const refused = TOOLS.filter(({ schema }) =>
      (["required", "all"] as const).some((extent) => !accepts(schema, readJson(exampleJson(schema, extent)) ?? null, schema)),
    );
    console.info(`examples refused: ${refused.length} of ${TOOLS.length}`);
    expect(refused.length).toBeLessThanOrEqual(TOOLS.length * 0.02);
  });

  test("the first draft holds what is required and nothing else", () => {
    for (const { name, schema } of TOOLS) {
      const optional = placesOf(schema, rootOf(skeleton(schema))).filter(
        ({ field }) => field.role === "property" && !field.isRequired && field.node !== undefined && field.path.length === 1,
      );
      expect(optional.map(({ field }) => field.name), name).toEqual([]);
    }
  });
});
