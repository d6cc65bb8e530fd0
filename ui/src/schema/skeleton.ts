import { type JsonObject, type JsonValue, isArray, isObject, member, writeJson } from "../json/value";
import { isOfType, itemSchemas } from "./accepts";
import { effective } from "./effective";
import { join } from "./join";
import { asSchema, boundOf, stringList, typesOf } from "./keywords";
import { resolve } from "./resolve";

/** No sensible value: an endless recursion, or the budget is spent. */
const NOTHING = Symbol("nothing");
type Built = JsonValue | typeof NOTHING;

/** Values in one skeleton. A few doubling `$ref`s would otherwise fill the memory. */
const MAX_VALUES = 2_000;
const MAX_DEPTH = 40;

/**
 * The first draft of a tool's arguments, as text for the editor.
 *
 * Only what the schema requires: an optional property that nobody touched must
 * not be sent, neither as `null` nor as `""`. Each value is the first there is
 * of const, default, example, enum member, and a placeholder of the type.
 */
export function skeleton(inputSchema: JsonValue): string {
  const built = placeholder(inputSchema, inputSchema);
  return writeJson(isObject(built) ? built : {});
}

/** The same for one place below `root`: what a part holds when it is added. */
export function placeholder(schema: JsonValue | undefined, root: JsonValue): JsonValue {
  const built = new Builder(root).build(schema, 0, []);
  return built === NOTHING ? null : built;
}

/**
 * The value that a part begins with when it is added, of the type that was
 * asked for: a default of another type (`null`, mostly) is no beginning.
 */
export function startOf(schema: JsonObject, type: string, root: JsonValue): JsonValue {
  const typed: JsonObject = { ...schema, type };
  const made = placeholder(typed, root);
  if (isOfType(typed, made)) return made;
  const { default: _, examples: __, ...rest } = typed;
  return placeholder(rest, root);
}

class Builder {
  private left = MAX_VALUES;

  constructor(private readonly root: JsonValue) {}

  build(schema: JsonValue | undefined, depth: number, above: readonly string[]): Built {
    if (depth > MAX_DEPTH || this.left-- <= 0) return NOTHING;
    const { schema: own, refs } = effective(schema, this.root);
    if (refs.some((ref) => above.includes(ref))) return NOTHING;
    const path = [...above, ...refs];
    const given = givenValue(own);
    if (given !== undefined) return given;
    const branches = own["anyOf"] ?? own["oneOf"];
    if (isArray(branches)) return this.branch(own, branches, depth, path);
    return this.byType(own, depth, path);
  }

  /** The first branch that leads anywhere; one that is only `null` comes last. */
  private branch(whole: JsonObject, branches: readonly JsonValue[], depth: number, path: readonly string[]): Built {
    const { anyOf: _, oneOf: __, ...rest } = whole;
    const isNull = (each: JsonValue): boolean => member(each, "type") === "null";
    const ordered = [...branches.filter((b) => !isNull(b)), ...branches.filter(isNull)];
    for (const each of ordered) {
      const { schema, refs } = resolve(each, this.root);
      if (refs.some((ref) => path.includes(ref))) continue;
      const built = this.build(join(rest, schema), depth + 1, [...path, ...refs]);
      if (built !== NOTHING) return built;
    }
    return NOTHING;
  }

  private byType(schema: JsonObject, depth: number, path: readonly string[]): Built {
    switch (typeOf(schema)) {
      case "object":
        return this.object(schema, depth, path);
      case "array":
        return this.array(schema, depth, path);
      case "string":
        return "";
      case "integer":
      case "number":
        return numberWithin(schema);
      case "boolean":
        return false;
      default:
        return null;
    }
  }

  private object(schema: JsonObject, depth: number, path: readonly string[]): Built {
    const result = Object.create(null) as Record<string, JsonValue>;
    const required = new Set(stringList(schema["required"]));
    const properties = asSchema(schema["properties"]);
    const known = Object.keys(properties).filter((key) => required.has(key));
    for (const key of new Set([...known, ...required])) {
      const built = this.build(member(properties, key), depth + 1, path);
      if (built !== NOTHING) result[key] = built;
    }
    return result;
  }

  private array(schema: JsonObject, depth: number, path: readonly string[]): Built {
    const wanted = boundOf(schema, "minItems") ?? 0;
    const { prefix, rest } = itemSchemas(schema);
    const result: JsonValue[] = [];
    while (result.length < wanted) {
      const built = this.build(prefix[result.length] ?? rest, depth + 1, path);
      if (built === NOTHING) break;
      result.push(built);
    }
    return result;
  }
}

function givenValue(schema: JsonObject): JsonValue | undefined {
  if (schema["const"] !== undefined) return schema["const"];
  if (schema["default"] !== undefined) return schema["default"];
  for (const list of [schema["examples"], schema["enum"]]) {
    if (isArray(list) && list[0] !== undefined) return list[0];
  }
  return undefined;
}

function typeOf(schema: JsonObject): string {
  const named = typesOf(schema);
  const first = named.find((each) => each !== "null") ?? named[0];
  if (first !== undefined) return first;
  if ("properties" in schema || "required" in schema) return "object";
  if ("items" in schema || "prefixItems" in schema) return "array";
  return "unknown";
}

/** Zero, or the bound that is nearest to it. */
function numberWithin(schema: JsonObject): JsonValue {
  const above = boundOf(schema, "exclusiveMinimum");
  const low = above === undefined ? boundOf(schema, "minimum") : Math.floor(above) + 1;
  const below = boundOf(schema, "exclusiveMaximum");
  const high = below === undefined ? boundOf(schema, "maximum") : Math.ceil(below) - 1;
  if (low !== undefined && low > 0) return schema["type"] === "integer" ? Math.ceil(low) : low;
  if (high !== undefined && high < 0) return schema["type"] === "integer" ? Math.floor(high) : high;
  return 0;
}
