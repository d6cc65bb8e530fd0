import { type Path } from "../json/edit";
import { type JsonNode, parseJson } from "../json/parse";
import { type JsonValue, isArray, isObject, member } from "../json/value";
import { arrayIndex, parsePointer } from "../pointer";
import { type Found, linesOf, step } from "../positions";
import { type Effort, accepts, newEffort } from "./accepts";
import { stringList } from "./keywords";
import { type Reached, reach } from "./reach";

/** The line of the schema that asks for what is missing. */
export interface SchemaLine {
  /** Counted from one, in the schema as the page lays it out. */
  readonly line: number;
  /** That line, without the white space around it. */
  readonly text: string;
}

/** Issues of one value whose lines are looked for; nobody reads more. */
const MAX_LINES = 300;

export type FindLine = (pointer: string, keyword: string | null, instance: JsonValue) => SchemaLine | null;

/**
 * Prepare to find the lines of one schema that issues come from.
 *
 * The server names the place in the arguments and the keyword; several schemas
 * may hold there, so the first whose keyword the value really breaks is meant.
 */
export function lineFinder(schema: JsonValue, text: string): FindLine {
  const parsed = parseJson(text);
  if (!parsed.ok) return () => null;
  const lines = linesOf(text);
  const rows = text.split("\n");
  let asked = { instance: null as JsonValue, left: 0, effort: newEffort() };
  return (pointer, keyword, instance) => {
    if (instance === null || instance !== asked.instance) asked = { instance, left: MAX_LINES, effort: newEffort(10) };
    if (keyword === null || asked.left-- <= 0) return null;
    const at = placeOfKeyword(schema, pointer, keyword, instance, asked.effort);
    const from = at && keyPlace(parsed.root, at);
    if (from === null) return null;
    const { line } = lines(from);
    return { line, text: (rows[line - 1] ?? "").trim().slice(0, 200) };
  };
}

function placeOfKeyword(
  schema: JsonValue,
  pointer: string,
  keyword: string,
  instance: JsonValue,
  effort: Effort,
): readonly string[] | null {
  const path = pathOf(pointer, instance);
  const own = candidates(schema, path, keyword, instance, effort);
  // Of a missing member the server names the member; its object's schema asks for it.
  const last = path.at(-1);
  const above = last === undefined ? [] : candidates(schema, path.slice(0, -1), keyword, instance, effort);
  const naming = above.filter((each) => names(each.reached.schema[keyword], last));
  const chosen = own.find(({ isBroken }) => isBroken) ?? naming[0] ?? own[0] ?? above[0];
  return chosen ? [...chosen.reached.path, keyword] : null;
}

interface Candidate {
  readonly reached: Reached;
  readonly isBroken: boolean;
}

function candidates(
  schema: JsonValue,
  path: Path,
  keyword: string,
  instance: JsonValue,
  effort: Effort,
): readonly Candidate[] {
  const value = valueAt(instance, path);
  return reach(schema, path)
    .filter((each) => Object.hasOwn(each.schema, keyword))
    .map((reached) => ({
      reached,
      isBroken: value !== undefined && !accepts(alone(reached, keyword), value, schema, effort),
    }));
}

/** Only the keyword, and the neighbours without which it means something else. */
function alone({ schema }: Reached, keyword: string): JsonValue {
  const { [keyword]: own } = schema;
  if (keyword !== "additionalProperties") return { [keyword]: own };
  const { properties, patternProperties } = schema;
  return { properties, patternProperties, [keyword]: own };
}

function names(list: JsonValue | undefined, key: string | number | undefined): boolean {
  if (typeof key !== "string") return false;
  if (isObject(list)) return Object.values(list).some((each) => stringList(each).includes(key));
  return stringList(list).includes(key);
}

/** Tokens of a pointer; digits are an index where the instance has a list. */
function pathOf(pointer: string, instance: JsonValue): Path {
  const path: (string | number)[] = [];
  let at: JsonValue | undefined = instance;
  for (const token of parsePointer(pointer) ?? []) {
    const index: number | null = isArray(at) ? arrayIndex(token) : null;
    path.push(index ?? token);
    at = isArray(at) ? at[index ?? -1] : member(at, token);
  }
  return path;
}

function valueAt(instance: JsonValue, path: Path): JsonValue | undefined {
  let at: JsonValue | undefined = instance;
  for (const part of path) at = typeof part === "number" ? (isArray(at) ? at[part] : undefined) : member(at, part);
  return at;
}

/** Where the key that the path ends with stands. */
function keyPlace(root: JsonNode, path: readonly string[]): number | null {
  let found: Found | null = { node: root };
  for (const token of path) found = found && step(found.node, token);
  return found && path.length > 0 ? (found.key ?? found.node).from : null;
}
