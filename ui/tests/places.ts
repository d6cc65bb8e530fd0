import type { JsonNode } from "../src/json/parse";
import type { JsonValue } from "../src/json/value";
import { branchOf } from "../src/form/branches";
import { valueOf } from "../src/form/context";
import { itemSchemas } from "../src/schema/accepts";
import { type Field, furtherMember, itemsOf, membersOf, rootField, schemaOfItem } from "../src/form/fields";
import { type View, viewOf } from "../src/form/view";

/** A place that the form shows for a text, and how. */
export interface Place {
  readonly field: Field;
  /** Of a union: the branch that is shown. */
  readonly view: View;
}

/** Every place that the form shows when all is open, from the outside in. */
export function placesOf(schema: JsonValue, root: JsonNode): readonly Place[] {
  const places: Place[] = [];
  const visit = (field: Field): void => {
    const view = shownView(viewOf(field.schema, schema, field.node && valueOf(field.node)), field, schema);
    places.push({ field, view });
    if (field.node?.kind === "object") membersOf(view.schema, field.node, field.path).forEach(visit);
    if (field.node?.kind === "array") itemsOf(view.schema, field.node, field.path).forEach(visit);
  };
  visit(rootField(schema, root));
  return places;
}

function shownView(view: View, field: Field, schema: JsonValue): View {
  const { shape } = view;
  if (shape.kind !== "union" || !field.node) return view;
  const value = valueOf(field.node);
  const branch = shape.branches[branchOf(shape.branches, value, schema)];
  return branch ? shownView(viewOf(branch.schema, schema, value), field, schema) : view;
}

/** What a schema's places are shown with, whether or not anything stands there. */
export interface Shown {
  readonly path: string;
  readonly view: View;
}

/** Every place that a form over the schema can have, each reference entered once. */
export function everyPlace(schema: JsonValue): readonly Shown[] {
  const shown: Shown[] = [];
  const visit = (part: JsonValue | undefined, path: string, above: readonly string[]): void => {
    const view = viewOf(part, schema);
    shown.push({ path, view });
    if (view.refs.some((ref) => above.includes(ref)) || above.length > 30) return;
    const inside = [...above, ...view.refs, ""];
    const { shape, schema: own } = view;
    if (shape.kind === "union" && !shape.isOpen) {
      shape.branches.forEach((each, index) => visit(each.schema, `${path}?${index}`, inside));
    }
    if (shape.kind === "object") {
      for (const each of membersOf(own, undefined, [])) visit(each.schema, `${path}/${each.name}`, inside);
      const further = furtherMember(own);
      if (further !== null) visit(further, `${path}/*`, inside);
    }
    if (shape.kind === "array") {
      const { prefix } = itemSchemas(own);
      for (let index = 0; index <= prefix.length; index++) {
        const item = schemaOfItem(own, index);
        if (item !== false) visit(item, `${path}[${index}]`, inside);
      }
    }
  };
  visit(schema, "", []);
  return shown;
}
