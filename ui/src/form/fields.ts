import type { Path } from "../json/edit";
import type { JsonNode } from "../json/parse";
import { type JsonObject, type JsonValue, isObject, member } from "../json/value";
import { itemSchemas, schemasOfMember } from "../schema/accepts";
import { asSchema, boundOf, stringList } from "../schema/keywords";

/** A place that the form shows, whether or not anything stands there. */
export interface Field {
  readonly path: Path;
  /** What the place is called: the key of a member, the number of an item. */
  readonly name: string;
  readonly role: "root" | "property" | "other" | "item";
  readonly schema: JsonValue | undefined;
  /** What stands there; `undefined` where it is left out. */
  readonly node: JsonNode | undefined;
  readonly isRequired: boolean;
  /** The names of the schema, so that a new member gets its place among the others. */
  readonly order: readonly string[];
}

export function rootField(schema: JsonValue, node: JsonNode): Field {
  return { path: [], name: "", role: "root", schema, node, isRequired: true, order: [] };
}

/** Whether a place may simply be left out. */
export function isOptional({ role, isRequired }: Field): boolean {
  return role === "property" && !isRequired;
}

/** Whether what stands there can be taken away, the key or the item with it. */
export function isRemovable(field: Field): boolean {
  return field.node !== undefined && field.role !== "root" && !(field.role === "property" && field.isRequired);
}

/**
 * The members of an object: those of the schema in its order, then those that
 * stand in the text and that the schema does not name.
 */
export function membersOf(own: JsonObject, node: JsonNode | undefined, path: Path): readonly Field[] {
  const required = new Set(stringList(own["required"]));
  const order = orderOf(own);
  const nodes = new Map(node?.kind === "object" ? node.members.map(({ key, value }) => [key, value] as const) : []);
  const named = order.map((name): Field => {
    const part = member(own["properties"], name);
    return {
      path: [...path, name],
      name,
      role: "property",
      schema: part ?? allOf(schemasOfMember(own, name)),
      node: nodes.get(name),
      isRequired: required.has(name),
      order,
    };
  });
  return [...named, ...othersOf(own, nodes, path, order)];
}

/** The names of an object's schema, in its order. */
export function orderOf(own: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(asSchema(own["properties"])), ...stringList(own["required"])])];
}

function othersOf(own: JsonObject, nodes: ReadonlyMap<string, JsonNode>, path: Path, order: readonly string[]): readonly Field[] {
  const known = new Set(order);
  const names = [...nodes.keys()].filter((key) => !known.has(key));
  return names.map((name) => ({
    path: [...path, name],
    name,
    role: "other",
    schema: allOf(schemasOfMember(own, name)),
    node: nodes.get(name),
    isRequired: false,
    order: [],
  }));
}

function allOf(parts: readonly JsonValue[]): JsonValue | undefined {
  if (parts.includes(false)) return false;
  return parts.length < 2 ? parts[0] : { allOf: parts };
}

/** The schema that a further member would have, or `null` where none may come. */
export function furtherMember(own: JsonObject): JsonValue | null {
  const patterns = Object.values(asSchema(own["patternProperties"]));
  const others = own["additionalProperties"] ?? own["unevaluatedProperties"];
  if (others === false) return patterns.length > 0 ? (patterns[0] ?? {}) : null;
  if (others !== undefined) return others;
  // Silence allows everything, but where members are named nobody is invited to add more.
  if (patterns.length > 0) return patterns[0] ?? {};
  return Object.keys(asSchema(own["properties"])).length === 0 ? {} : null;
}

/** Whether an object says nothing of its members: it is easier written than clicked together. */
export function isFreeForm(own: JsonObject): boolean {
  const names = ["properties", "patternProperties", "required"].every((key) => own[key] === undefined || isBare(own[key]));
  const others = own["additionalProperties"];
  return names && (others === undefined || others === true || isBare(others));
}

function isBare(value: JsonValue | undefined): boolean {
  return (isObject(value) && Object.keys(value).length === 0) || (Array.isArray(value) && value.length === 0);
}

/** The items of a list that stand in the text. */
export function itemsOf(own: JsonObject, node: JsonNode | undefined, path: Path): readonly Field[] {
  if (node?.kind !== "array") return [];
  return node.items.map((item, index) => ({
    path: [...path, index],
    name: String(index + 1),
    role: "item",
    schema: schemaOfItem(own, index),
    node: item,
    isRequired: true,
    order: [],
  }));
}

export function schemaOfItem(own: JsonObject, index: number): JsonValue | undefined {
  const { prefix, rest } = itemSchemas(own);
  return index < prefix.length ? prefix[index] : rest;
}

/** Whether a list may have one more item, by its bounds and its kind. */
export function takesMore(own: JsonObject, count: number): boolean {
  return count < (boundOf(own, "maxItems") ?? Infinity) && schemaOfItem(own, count) !== false;
}
