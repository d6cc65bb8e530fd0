import { keyOf } from "../json/equal";
import { type JsonObject, type JsonValue, isArray, isObject, member, writeJson } from "../json/value";
import { accepts, itemSchemas, newEffort, schemasOfMember } from "./accepts";
import { effective } from "./effective";
import { exampleNumber } from "./exampleNumber";
import { exampleText } from "./exampleText";
import { join } from "./join";
import { asSchema, boundOf, stringList, typesOf } from "./keywords";

/** Which optional members an example has. */
export type Extent = "required" | "all";

/** No value: an endless recursion, a schema that allows none, or the budget is spent. */
const NOTHING = Symbol("nothing");
type Built = JsonValue | typeof NOTHING;

const MAX_VALUES = 4_000;
const MAX_DEPTH = 40;
/** Below this depth optional members are left out: nobody reads an example that deep. */
const ALL_DEPTH = 5;
/** Items of a list that is asked to be long; more would not teach anything. */
const MAX_ITEMS = 1_000;
const BRANCH_TRIES = 3;
/** Values that the author wrote down, and branches, that are tried at one place. */
const MAX_TRIES = 50;
/** Questions whether something is valid, in the time that one may take; later ones are not asked. */
const EFFORT = 10;

/** An instance that the schema most probably accepts, as text for the editor. */
export function exampleJson(schema: JsonValue, extent: Extent): string {
  return writeJson(exampleOf(schema, extent));
}

/**
 * Examples, default, constant and choices of the schema come first, where they
 * are valid; what is missing is made up within the bounds.
 *
 * With all members the whole may break a rule that each part keeps (`not`, a
 * dependency). Then members are added one by one to the smallest example, as
 * long as the whole stays valid.
 */
export function exampleOf(schema: JsonValue, extent: Extent): JsonValue {
  const make = (wanted: Extent): JsonObject => {
    // Arguments are an object, whether or not the schema says so.
    const start = schema === false ? false : join({ type: "object" }, asSchema(schema));
    const built = new Maker(schema, wanted).make(start, { depth: 0, path: [], variant: 0 });
    return isObject(built) ? built : {};
  };
  const whole = make(extent);
  const effort = newEffort(EFFORT);
  if (extent === "required" || accepts(schema, whole, schema, effort)) return whole;
  const kept = make("required") as Record<string, JsonValue | undefined>;
  for (const [key, each] of Object.entries(whole)) {
    if (Object.hasOwn(kept, key)) continue;
    kept[key] = each;
    if (effort.left <= 0 || !accepts(schema, kept, schema, effort)) delete kept[key];
  }
  return kept;
}

interface Spot {
  readonly depth: number;
  /** The references that lead here. */
  readonly path: readonly string[];
  /** The how-manieth of several that must differ. */
  readonly variant: number;
}

class Maker {
  private left = MAX_VALUES;
  private readonly effort = newEffort(EFFORT);

  constructor(private readonly root: JsonValue, private readonly extent: Extent) {}

  make(schema: JsonValue | undefined, spot: Spot): Built {
    if (schema === false || spot.depth > MAX_DEPTH || this.left-- <= 0) return NOTHING;
    const { schema: own, refs } = effective(schema, this.root);
    if (refs.some((ref) => spot.path.includes(ref))) return NOTHING;
    const inside = { ...spot, path: [...spot.path, ...refs] };
    const given = this.given(own, spot.variant);
    if (given !== undefined) return given;
    const built = this.invented(own, inside);
    return built === NOTHING || own["if"] === undefined ? built : this.onOneSide(own, built, inside);
  }

  private accepts(schema: JsonObject, value: JsonValue): boolean {
    return accepts(schema, value, this.root, this.effort);
  }

  /** What the author wrote down; `null` only where nothing better is known. */
  private given(own: JsonObject, variant: number): JsonValue | undefined {
    const { const: only, examples, example, default: usual, enum: choices } = own;
    const offered = [
      ...(only === undefined ? [] : [only]),
      ...(isArray(examples) ? examples.slice(0, MAX_TRIES) : []),
      ...(example === undefined ? [] : [example]),
      ...(usual === undefined || usual === null || isEmpty(usual) ? [] : [usual]),
      ...(isArray(choices) ? choices.slice(0, MAX_TRIES + variant) : []),
    ];
    if (variant === 0) return offered.find((each) => this.accepts(own, each));
    const valid = offered.filter((each) => this.accepts(own, each));
    const [first] = valid;
    if (first === undefined) return first;
    const distinct = [...new Map(valid.map((each) => [keyOf(each), each])).values()];
    // When the offers are used up something is invented, unless only they are allowed.
    return distinct[variant] ?? (isArray(choices) || only !== undefined ? first : undefined);
  }

  private invented(own: JsonObject, spot: Spot): Built {
    for (const keyword of ["anyOf", "oneOf"]) {
      const { [keyword]: branches, ...rest } = own;
      if (isArray(branches)) return this.oneBranch(own, rest, branches, spot);
    }
    const types = typesOf(own);
    const type = types.find((each) => each !== "null") ?? types[0];
    switch (type ?? guessedType(own)) {
      case "object":
        return this.object(own, spot);
      case "array":
        return this.array(own, spot);
      case "integer":
      case "number":
        return exampleNumber(own, type === "integer", spot.variant);
      case "boolean":
        return spot.variant % 2 === 0;
      case "null":
        return null;
      case "string":
      default:
        return exampleText(own, spot.variant) ?? NOTHING;
    }
  }

  /** The first branch whose example suits the whole; `null` is the last resort. */
  private oneBranch(own: JsonObject, rest: JsonObject, branches: readonly JsonValue[], spot: Spot): Built {
    const isNull = (each: JsonValue): boolean => member(each, "type") === "null";
    const ordered = [...branches.filter((each) => !isNull(each)), ...branches.filter(isNull)];
    let fallback: Built = NOTHING;
    for (const each of ordered.slice(0, MAX_TRIES)) {
      // Of `oneOf` only one branch may accept the value: another value may be of one only.
      for (let more = 0; more < BRANCH_TRIES; more++) {
        const built = this.make(join(asSchema(each), rest), { ...spot, depth: spot.depth + 1, variant: spot.variant + more });
        if (built === NOTHING) break;
        if (this.accepts(own, built)) return built;
        if (fallback === NOTHING) fallback = built;
      }
    }
    return fallback;
  }

  /** Conditions: what is built lies on one side, so that side holds too. */
  private onOneSide(own: JsonObject, built: JsonValue, spot: Spot): Built {
    if (this.accepts(own, built)) return built;
    const { if: condition, then, else: otherwise, ...rest } = own;
    const sides = [join(rest, { allOf: [condition ?? {}, then ?? {}] }), join(rest, asSchema(otherwise))];
    for (const side of sides) {
      const other = this.make(side, { ...spot, depth: spot.depth + 1 });
      if (other !== NOTHING && this.accepts(own, other)) return other;
    }
    return built;
  }

  private object(own: JsonObject, spot: Spot): Built {
    const properties = asSchema(own["properties"]);
    const required = new Set(stringList(own["required"]));
    const isWide = this.extent === "all" && spot.depth < ALL_DEPTH;
    const result = Object.create(null) as Record<string, JsonValue>;
    for (const key of new Set([...Object.keys(properties), ...required])) {
      if (!isWide && !required.has(key)) continue;
      const built = this.memberOf(own, key, spot);
      if (built !== NOTHING) result[key] = built;
      // Without a required member there is no such object at all.
      else if (required.has(key)) return NOTHING;
    }
    this.addDependent(own, result, spot);
    this.addOthers(own, result, isWide, spot);
    return result;
  }

  private memberOf(own: JsonObject, key: string, spot: Spot): Built {
    const parts = schemasOfMember(own, key);
    if (parts.includes(false)) return NOTHING;
    const schema = parts.length === 1 ? parts[0] : { allOf: [...parts] };
    return this.make(schema, { depth: spot.depth + 1, path: spot.path, variant: spot.variant });
  }

  private addDependent(own: JsonObject, result: Record<string, JsonValue>, spot: Spot): void {
    for (const [key, needed] of Object.entries(asSchema(own["dependentRequired"]))) {
      for (const each of Object.hasOwn(result, key) ? stringList(needed) : []) {
        const built = Object.hasOwn(result, each) ? NOTHING : this.memberOf(own, each, spot);
        if (built !== NOTHING) result[each] = built;
      }
    }
  }

  /** Members nobody asked for by name, where some are wanted or a map would stay empty. */
  private addOthers(own: JsonObject, result: Record<string, JsonValue>, isWide: boolean, spot: Spot): void {
    const isMap = isObject(own["additionalProperties"]) || isObject(own["patternProperties"]);
    let count = Object.keys(result).length;
    const isBare = count === 0;
    const wanted = Math.max(boundOf(own, "minProperties") ?? 0, isWide && isMap && isBare ? 1 : 0);
    const named = Object.keys(asSchema(own["properties"])).filter((key) => !Object.hasOwn(result, key));
    for (let at = 0; count < wanted && at < named.length + MAX_ITEMS; at++) {
      const variant = Math.max(0, at - named.length);
      const key = named[at] ?? this.newKey(own, variant);
      if (key === undefined || Object.hasOwn(result, key)) continue;
      const built = this.memberOf(own, key, { ...spot, variant });
      if (built === NOTHING) continue;
      result[key] = built;
      count++;
    }
  }

  private newKey(own: JsonObject, variant: number): string | undefined {
    const names = own["propertyNames"];
    const pattern = Object.keys(asSchema(own["patternProperties"]))[0];
    if (isObject(own["patternProperties"]) && own["additionalProperties"] === false && pattern !== undefined) {
      return exampleText({ pattern }, variant);
    }
    const built = names === undefined ? NOTHING : this.make(names, { depth: 1, path: [], variant });
    return typeof built === "string" && built !== "" ? built : variant === 0 ? "key" : `key${variant + 1}`;
  }

  private array(own: JsonObject, spot: Spot): Built {
    const { prefix, rest } = itemSchemas(own);
    const isWide = this.extent === "all" && spot.depth < ALL_DEPTH;
    const least = boundOf(own, "minItems") ?? 0;
    const most = Math.min(boundOf(own, "maxItems") ?? MAX_ITEMS, MAX_ITEMS);
    const contained = own["contains"] === undefined ? 0 : (boundOf(own, "minContains") ?? 1);
    // A tuple is shown whole, another list with one item.
    const wanted = Math.min(most, Math.max(least, contained, isWide ? Math.max(1, prefix.length) : 0));
    const result: JsonValue[] = [];
    const taken = new Set<string>();
    for (let variant = 0; result.length < wanted && variant < wanted + 8; variant++) {
      const at = result.length;
      const plain = at < prefix.length ? prefix[at] : rest;
      const schema = at < contained && plain !== false ? { allOf: [plain ?? {}, own["contains"] ?? {}] } : plain;
      const differs = own["uniqueItems"] === true;
      const built = this.make(schema, { depth: spot.depth + 1, path: spot.path, variant: differs ? variant : spot.variant });
      if (built === NOTHING) break;
      const key = differs ? keyOf(built) : "";
      if (!taken.has(key)) result.push(built);
      if (differs) taken.add(key);
    }
    return result.length < least ? NOTHING : result;
  }
}

function isEmpty(value: JsonValue): boolean {
  return value === "" || (isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);
}

function guessedType(own: JsonObject): string {
  if (["properties", "required", "additionalProperties", "patternProperties", "minProperties"].some((key) => key in own)) {
    return "object";
  }
  if (["items", "prefixItems", "minItems", "contains"].some((key) => key in own)) return "array";
  if (["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"].some((key) => key in own)) {
    return "number";
  }
  return "string";
}
