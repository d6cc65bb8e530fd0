import { useMemo, useRef, useState } from "preact/hooks";
import { textOf } from "../../json/edit";
import { type JsonValue, writeJson } from "../../json/value";
import { visibleText } from "../../names";
import { placeholder } from "../../schema/skeleton";
import { Body, type BodyProps } from "../Body";
import { type Branch, branchOf, couldBe, isLike } from "../branches";
import { carried } from "../carry";
import { useForm, valueOf } from "../context";
import { isOptional } from "../fields";
import { type Shape, viewOf } from "../view";
import { PickList } from "./PickList";

type Union = Extract<Shape, { kind: "union" }>;

/**
 * First which kind, then the value.
 *
 * What stands there decides the kind, until the reader says otherwise; what
 * was written for one kind comes back when that kind is chosen again.
 */
export function UnionParts({ shape, ...props }: BodyProps & { readonly shape: Union }) {
  const { field, view, frame, level } = props;
  const form = useForm();
  const { branches } = shape;
  const { node, path, order } = field;
  const [wanted, setWanted] = useState<number | null>(null);
  const written = useRef(new Map<number, string>());
  const at = useMemo(
    () => currentBranch(props, branches, wanted, form.schema),
    [node, branches, wanted, form.schema, field.isRequired, view.isNullable],
  );
  const branch = at === null ? undefined : branches[at];
  const isNull = node?.kind === "null" && view.isNullable;
  const choose = (choice: string): void => {
    if (node && at !== null) written.current.set(at, textOf(form.text, node));
    if (choice === "null") form.set(path, "null", order);
    if (choice === "null" || choice === "") setWanted(null);
    if (choice === "") form.remove(path);
    const next = branches[Number(choice)];
    if (choice === "" || !next) return;
    const index = Number(choice);
    setWanted(index);
    const old = node && !isNull ? textOf(form.text, node) : null;
    const kept = old === null ? null : carried(old, branch, next, form.schema);
    if (kept !== null && kept === old) return;
    const known = written.current.get(index) ?? kept;
    if (known !== null) form.set(path, known, order);
    else if (isTyped(next, form.schema) && isOptional(field)) form.remove(path);
    else form.set(path, writeJson(start(next, form.schema)), order);
  };
  const inner = branch && viewOf(branch.schema, form.schema, node && valueOf(node));
  const text = inner?.schema["description"];
  return (
    <>
      <PickList
        all={branches}
        textOf={labelOf}
        chosen={at}
        what={frame.label}
        id={frame.control}
        class="form-input form-select form-kind"
        aria-label={`Kind of ${frame.label}`}
        aria-describedby={frame.described}
        aria-invalid={frame.isInvalid}
        value={isNull ? "null" : at === null ? "" : String(at)}
        onChange={(event) => choose(event.currentTarget.value)}
        last={view.isNullable && <option value="null">null</option>}
      >
        {(isOptional(field) || (at === null && !isNull)) && <option value="">not set</option>}
      </PickList>
      {typeof text === "string" && text !== view.schema["description"] && (
        <p class="form-words" dir="auto">{visibleText(text)}</p>
      )}
      {inner && !isNull && (
        <Body
          key={at}
          {...props}
          view={inner}
          level={level}
          frame={{ ...frame, control: `${frame.control}-${at}` }}
        />
      )}
    </>
  );
}

function labelOf({ label }: Branch): string {
  return label;
}

function currentBranch(
  { field: { node, isRequired }, view }: BodyProps,
  branches: readonly Branch[],
  wanted: number | null,
  root: JsonValue,
): number | null {
  if (!node) return wanted ?? (isRequired ? 0 : null);
  if (node.kind === "null" && view.isNullable) return null;
  if (wanted !== null && couldBe(branches, wanted, valueOf(node), root)) return wanted;
  return branchOf(branches, valueOf(node), root);
}

/** Whether a branch begins empty: what is typed makes the value. */
function isTyped(branch: Branch, root: JsonValue): boolean {
  const { kind } = viewOf(branch.schema, root).shape;
  return kind === "text" || kind === "number" || kind === "file" || kind === "boolean";
}

/** The value that a branch begins with; a default of the whole union need not be of this branch. */
function start(branch: Branch, root: JsonValue): JsonValue {
  const made = placeholder(branch.schema, root);
  if (isLike(branch, made, root)) return made;
  const { default: _, examples: __, ...rest } = branch.schema;
  return placeholder(rest, root);
}
