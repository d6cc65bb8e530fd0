import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { visibleName } from "../names";
import { FoldedText } from "../views/LongText";
import { Twist } from "../views/buttons";
import { Body } from "./Body";
import { FieldActions } from "./FieldActions";
import { useForm, valueOf } from "./context";
import { type Field, isFreeForm } from "./fields";
import { type View, viewOf } from "./view";
import { limitWords, typeWord } from "./words";
import { FieldProblems } from "../views/Problems";

/** Levels that are open at the start. */
const OPEN_LEVELS = 4;
/** Characters of a description that two lines hold; longer ones are folded. */
const SHORT = 150;

interface Props {
  readonly field: Field;
  readonly level: number;
  /** In place of the name, where the name can be edited. */
  readonly nameControl?: JSX.Element;
  /** In place of simply taking it away. */
  readonly onRemove?: () => void;
}

/** One place: its name, what is said of it, what it is edited with, what is wrong there. */
export function FieldRow({ field, level, nameControl, onRemove }: Props) {
  const form = useForm();
  const id = useId();
  const view = viewOf(field.schema, form.schema, field.node && valueOf(field.node));
  const [isOpen, setOpen] = useState(level < OPEN_LEVELS);
  const [isJson, setJson] = useState(() => startsAsJson(field, view));
  const [isHeld, setHeld] = useState(false);
  // Away with its control went what is typed there and is no value yet.
  const leave = (change: () => void): void => {
    const isUnfinished = form.isUnfinished(field.path);
    setHeld(isUnfinished);
    if (!isUnfinished) change();
  };
  const isFolding = hasParts(field, view) && field.role !== "root";
  const own = form.problems.at(field.path);
  const hidden = isFolding && !isOpen ? form.problems.below(field.path).length : 0;
  const name = field.role === "root" ? "Arguments" : visibleName(field.name);
  const ids = { control: `${id}-control`, name: `${id}-name`, text: `${id}-text`, problems: `${id}-problems` };
  const text = wordsOf(view);
  const limits = limitWords(view.schema).join(" · ");
  const described = [
    ...(text === "" ? [] : [ids.text]),
    ...(limits === "" ? [] : [`${ids.text}-limits`]),
    ...(own.length > 0 ? [ids.problems] : []),
  ].join(" ");
  const body = (
    <Body
      field={field}
      view={view}
      level={level}
      isJson={isJson}
      frame={{ ...ids, label: name, described, isInvalid: own.some(({ severity }) => severity === "error") }}
    />
  );
  // The Tab key comes to a control before it comes to what else can be done there.
  const actions = (
    <FieldActions
      field={field}
      view={view}
      name={name}
      isJson={isJson}
      onJson={(next) => leave(() => setJson(next))}
      onRemove={onRemove ?? (() => form.remove(field.path))}
    />
  );
  if (field.role === "root") {
    return (
      <div class="form-root">
        <span class="off-screen" id={ids.name}>{name}</span>
        <FieldProblems id={ids.problems} problems={own} />
        {body}
      </div>
    );
  }
  return (
    <div class={classOf(field, view, isFolding, own.length > 0)}>
      <div class="form-head">
        {isFolding && <Twist name={name} isOpen={isOpen} onClick={() => leave(() => setOpen(!isOpen))} />}
        {nameControl}
        <label class={nameControl ? "off-screen" : "form-name"} id={ids.name} for={ids.control}>
          <bdi>{name}</bdi>
        </label>
        <span class="form-type">{typeWord(view)}</span>
        {field.role === "property" && field.isRequired && <span class="required">required</span>}
        {limits !== "" && <span class="form-limits" id={`${ids.text}-limits`}>{limits}</span>}
        {hidden > 0 && <span class="form-hidden">{hidden === 1 ? "1 problem" : `${hidden} problems`}</span>}
      </div>
      {isFolding && actions}
      {text !== "" && (
        <div class="form-text">
          <FoldedText text={text} id={ids.text} kind="form-words" short={SHORT} lines={2} words={["More", "Less"]} />
        </div>
      )}
      {(!isFolding || isOpen) && <div class="form-control">{body}</div>}
      {!isFolding && actions}
      {isHeld && form.isUnfinished(field.path) && (
        <p class="form-draft" role="alert">Finish what is typed here first, or clear it.</p>
      )}
      <FieldProblems id={ids.problems} problems={own} />
    </div>
  );
}

function classOf({ role, node }: Field, { shape: { kind } }: View, isFolding: boolean, hasProblem: boolean): string {
  // Items and members that are one control fit on one line.
  const isInline = (role === "item" || role === "other") && !isFolding && !["union", "object", "array", "json"].includes(kind);
  return [
    "form-field",
    ...(isInline ? ["is-inline"] : []),
    ...(hasProblem ? ["has-problem"] : []),
    ...(node ? [] : ["is-absent"]),
  ].join(" ");
}

/** An object that says nothing of its members is written as JSON, until somebody wants rows. */
function startsAsJson({ role }: Field, { shape, schema }: View): boolean {
  return role !== "root" && shape.kind === "object" && isFreeForm(schema);
}

function hasParts({ node }: Field, { shape }: View): boolean {
  if (shape.kind === "union") return node?.kind === "object" || node?.kind === "array";
  return (shape.kind === "object" || shape.kind === "array") && node !== undefined;
}

function wordsOf({ schema }: View): string {
  const { description, title } = schema;
  if (typeof description === "string" && description !== "") return description;
  return typeof title === "string" ? title : "";
}
