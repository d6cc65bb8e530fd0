import type { JsonObject, JsonValue } from "../json/value";
import { isOfType } from "../schema/accepts";
import { placeholder } from "../schema/skeleton";

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
