import { type JsonObject, type JsonValue, isArray, isObject, member, writeJson } from "../json/value";
import { visibleText } from "../names";
import { once } from "../once";
import { decoded } from "../pointer";
import { type Effort, accepts, isOfType, newEffort, schemasOfMember } from "../schema/accepts";
import { typeText } from "../schema/describe";
import { effective } from "../schema/effective";
import { join } from "../schema/join";
import { asSchema, stringList, typesOf } from "../schema/keywords";
import { isFreeForm } from "./fields";

/** One way to fill a place that allows several. */
export interface Branch {
  readonly label: string;
  /** The branch joined with what holds for all of them. */
  readonly schema: JsonObject;
}

interface Unlabelled {
  readonly schema: JsonObject;
  /** The branch as it stands in the schema, for its reference. */
  readonly written?: JsonValue;
  /** The branch alone, for what only it says. */
  readonly own?: JsonObject;
}

const MAX_LABEL = 200;
/** Names of members that could tell branches apart, and are looked at in each. */
const MAX_TAGS = 20;

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "Text", number: "Number", integer: "Whole number", boolean: "True or false",
  object: "Object", array: "List", null: "Null",
};

/** Name the branches so that a reader can choose, each by a name of its own. */
export function labelled(branches: readonly Unlabelled[], root: JsonValue, whole: JsonObject = {}): readonly Branch[] {
  const tagged = branches.map((each) => withTag(each, whole));
  const key = sharedConstant(tagged.map(({ schema }) => schema), root);
  const names = tagged.map((each, index) => nameOf(each, key, root) ?? `Option ${index + 1}`);
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return tagged.map(({ schema }, index) => {
    const name = names[index] ?? "";
    const shown = visibleText(name, MAX_LABEL);
    return { schema, label: (counts.get(name) ?? 0) > 1 ? `${shown} (${index + 1})` : shown };
  });
}

/** OpenAPI's `discriminator`: the mapping says which value stands for which reference. */
function withTag(branch: Unlabelled, whole: JsonObject): Unlabelled {
  const name = member(whole["discriminator"], "propertyName");
  const ref = member(branch.written, "$ref");
  if (typeof name !== "string" || typeof ref !== "string") return branch;
  const known = constantOf(branch.schema, name);
  if (known !== undefined) return branch;
  const value = tagsOf(asSchema(member(whole["discriminator"], "mapping"))).get(ref) ?? ref.split("/").at(-1) ?? ref;
  const tag = { properties: { [name]: { const: value } }, required: [name] };
  return { ...branch, schema: join(branch.schema, tag) };
}

/** Which value stands for which reference; made once for all the branches. */
const tagsOf = once((mapping: JsonObject) => new Map(Object.entries(mapping).map(([value, ref]) => [ref, value] as const)));

/** The member whose constant tells all the branches apart. */
function sharedConstant(schemas: readonly JsonObject[], root: JsonValue): string | undefined {
  const [first, ...others] = schemas;
  if (!first || others.length === 0) return undefined;
  return Object.keys(asSchema(first["properties"])).slice(0, MAX_TAGS).find((key) => {
    const values = schemas.map((each) => constantOf(each, key, root));
    const distinct = new Set(values.map((each) => (each === undefined ? undefined : writeJson(each, "", ""))));
    return !distinct.has(undefined) && distinct.size === schemas.length;
  });
}

function constantOf(schema: JsonObject, key: string, root: JsonValue = {}): JsonValue | undefined {
  const part = member(schema["properties"], key);
  if (part === undefined) return undefined;
  const { schema: own } = effective(part, root);
  if (own["const"] !== undefined) return own["const"];
  const choices = own["enum"];
  return isArray(choices) && choices.length === 1 ? choices[0] : undefined;
}

function nameOf(branch: Unlabelled, key: string | undefined, root: JsonValue): string | undefined {
  const { schema, own = schema, written } = branch;
  const tag = key === undefined ? undefined : constantOf(schema, key, root);
  if (tag !== undefined) return typeof tag === "string" ? tag : writeJson(tag, "", "");
  const { title } = own;
  if (typeof title === "string" && title !== "") return title;
  const ref = member(written, "$ref");
  if (typeof ref === "string") return decoded(ref.split("/").at(-1) ?? ref);
  const asked = stringList(own["required"]);
  const [type, ...more] = typesOf(own);
  if (asked.length > 0 && (type === undefined || type === "object")) return `With ${asked.slice(0, 3).join(", ")}`;
  if (own["const"] !== undefined) return writeJson(own["const"], "", "");
  if (type !== undefined && more.length === 0) {
    const word = TYPE_WORDS[type];
    const text = typeText(own, root);
    return word === undefined || type === "array" ? (text === "array" ? (word ?? text) : text) : withFormat(word, own);
  }
  const names = Object.keys(asSchema(own["properties"]));
  return names.length > 0 ? `With ${names.slice(0, 3).join(", ")}` : undefined;
}

function withFormat(word: string, own: JsonObject): string {
  const { format, pattern } = own;
  if (isArray(own["enum"])) return "One of a list";
  if (typeof format === "string") return `${word}, ${format}`;
  return typeof pattern === "string" && pattern.length < 24 ? `${word} like ${pattern}` : word;
}

/** Which branch a value means: one that accepts it, else the one that is nearest. */
export function branchOf(branches: readonly Branch[], value: JsonValue, root: JsonValue): number {
  const effort = newEffort(10);
  let best = { at: -1, score: -Infinity };
  for (const [at, { schema }] of branches.entries()) {
    const score = scoreOf(schema, value, root, effort);
    if (score > best.score) best = { at, score };
    if (score === FITS) break;
  }
  return best.at;
}

/** Whether a value has the type of a branch, and its tag. */
export function isLike({ schema }: Branch, value: JsonValue, root: JsonValue): boolean {
  return scoreOf(schema, value, root, newEffort()) > UNLIKE;
}

/** Whether a branch could be what a value means, if not yet a valid one: it has no member of another branch alone. */
export function couldBe(branches: readonly Branch[], at: number, value: JsonValue, root: JsonValue): boolean {
  const branch = branches[at];
  if (!branch || !isLike(branch, value, root)) return false;
  const compared = branches.length > MAX_COMPARED ? [] : branches;
  const [own, ...others] = [branch, ...compared].map(({ schema }) => effective(schema, root, value).schema);
  if (!isObject(value) || !own || isFreeForm(own)) return true;
  return Object.keys(value).every(
    (key) => knownAs(own, key) !== null || (others.length > 0 && others.every((each) => knownAs(each, key) === null)),
  );
}

/** What an object's schema says of the member of this name; `null` where it does not know it. */
export function knownAs(own: JsonObject, key: string): readonly JsonValue[] | null {
  const { additionalProperties, unevaluatedProperties, ...rest } = own;
  const named = schemasOfMember(rest, key);
  if (named.length > 0) return named;
  const others = additionalProperties ?? unevaluatedProperties;
  return isObject(others) && Object.keys(others).length > 0 ? [others] : null;
}

/** Branches that are asked whether a member is theirs alone; of more, one must know all members of its value. */
const MAX_COMPARED = 100;
const FITS = 1_000_000;
const UNLIKE = -1_000;

function scoreOf(schema: JsonObject, value: JsonValue, root: JsonValue, effort: Effort): number {
  if (accepts(schema, value, root, effort)) return FITS;
  const { schema: own } = effective(schema, root, value);
  if (!isOfType(own, value)) return 3 * UNLIKE;
  if (isArray(value)) return accepts({ ...own, minItems: 0 }, value, root, effort) ? 10 : 0;
  if (!isObject(value)) return 0;
  const properties = asSchema(own["properties"]);
  let score = 0;
  for (const [key, each] of Object.entries(value)) {
    const part = member(properties, key);
    if (part === undefined) score -= own["additionalProperties"] === false ? 5 : 1;
    else if (accepts(part, each ?? null, root, effort)) score += 3;
    else score += constantOf(own, key, root) === undefined ? 1 : 2 * UNLIKE;
  }
  return score - stringList(own["required"]).filter((key) => !Object.hasOwn(value, key)).length;
}
