import type { JsonNode } from "../json/parse";
import { useForm } from "./context";
import {
  BooleanControl, ChoiceControl, JsonControl, NullControl, NumberControl, TextControl, isPlainText,
} from "./controls/controls";
import { FileControl } from "./controls/FileControl";
import { ListParts } from "./controls/ListParts";
import { ObjectParts } from "./controls/ObjectParts";
import { UnionParts } from "./controls/UnionParts";
import type { Field } from "./fields";
import { type Shape, TYPES, type View } from "./view";
import { FieldProblems } from "../views/Problems";

/** What ties a control to the name, the text and the problems that stand around it. */
export interface Frame {
  readonly control: string;
  readonly name: string;
  readonly label: string;
  /** Ids for `aria-describedby`. */
  readonly described: string;
  readonly isInvalid: boolean;
}

export interface BodyProps {
  readonly field: Field;
  readonly view: View;
  readonly level: number;
  readonly frame: Frame;
}

/** The part of a place that is edited, by its shape and by what stands there. */
export function Body({ isJson = false, ...props }: BodyProps & { readonly isJson?: boolean }) {
  const { field, view } = props;
  const { problems } = useForm();
  const { node } = field;
  const isUnfit = node !== undefined && !suits(view.shape, node, view.isNullable);
  if (isJson || isUnfit || view.shape.kind === "json") {
    return (
      <>
        {isUnfit && !isJson && view.shape.kind !== "json" && <p class="form-note">{noteOf(view.shape, node)}</p>}
        <JsonControl {...props} />
        <FieldProblems problems={problems.below(field.path)} />
      </>
    );
  }
  if (view.shape.kind === "choice") return <ChoiceControl {...props} options={view.shape.options} />;
  if (view.shape.kind === "union") return <UnionParts {...props} shape={view.shape} />;
  const Control = CONTROLS[view.shape.kind];
  return <Control {...props} />;
}

const CONTROLS = {
  text: TextControl,
  file: FileControl,
  number: NumberControl,
  boolean: BooleanControl,
  object: ObjectParts,
  array: ListParts,
  null: NullControl,
  never: NullControl,
} as const;

/** Whether the control of a shape can show a value without changing it. */
export function suits(shape: Shape, node: JsonNode, isNullable: boolean): boolean {
  if (node.kind === "null" && isNullable) return true;
  const kind = TYPES[shape.kind];
  if (shape.kind === "never") return false;
  return kind === undefined || (node.kind === kind && (node.kind !== "string" || isPlainText(node.value)));
}

function noteOf(shape: Shape, node: JsonNode): string {
  if (shape.kind === "never") return "The schema does not allow this.";
  if (node.kind === "string" && TYPES[shape.kind] === "string") {
    return "A field would change this text (control characters, or too long), so it is shown as JSON.";
  }
  return "This is another type than the schema asks for, so it is shown as JSON.";
}
