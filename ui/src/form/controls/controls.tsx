import { textOf } from "../../json/edit";
import { isSame } from "../../json/equal";
import { parseJson } from "../../json/parse";
import { writeJson } from "../../json/value";
import { visibleText } from "../../names";
import { boundOf } from "../../schema/keywords";
import { Button } from "../../views/buttons";
import type { BodyProps } from "../Body";
import { useForm, valueOf } from "../context";
import { isOptional } from "../fields";
import { type Option, optionText } from "../options";
import { type Committed, useDraft } from "../useDraft";
import { placeholderText } from "../words";
import { type Moment, MomentPicker } from "./MomentPicker";
import { PickList } from "./PickList";

/** Characters; above it the editor beside the form is the better place. */
const MAX_SHOWN = 100_000;
/** A text that may be at most this long needs one line. */
const ONE_LINE = 80;

/** What ties a control to the name, the text and the problems around it. */
function tiesOf({ field, frame }: BodyProps) {
  return {
    id: frame.control,
    "aria-labelledby": frame.name,
    "aria-describedby": frame.described,
    "aria-invalid": frame.isInvalid,
    "aria-required": field.isRequired,
  };
}

/** Two buttons of which none is pressed while nothing is sent. */
export function BooleanControl(props: BodyProps) {
  const form = useForm();
  const { node, path, order } = props.field;
  const usual = node ? "" : placeholderText(props.view.schema, false);
  const { id, ...ties } = tiesOf(props);
  return (
    <div class="form-line">
      <div class="segments" role="radiogroup" {...ties}>
        {[true, false].map((value) => (
          <label key={String(value)} class="segment">
            <input
              type="radio"
              id={value ? id : undefined}
              name={id}
              checked={node?.kind === "boolean" && node.value === value}
              onChange={() => form.set(path, String(value), order)}
            />
            <span>{String(value)}</span>
          </label>
        ))}
      </div>
      {usual !== "" && <span class="form-usual">{usual}</span>}
    </div>
  );
}

/** Where only `null` may stand, or nothing at all. */
export function NullControl({ field, view, frame }: BodyProps) {
  const form = useForm();
  if (view.shape.kind === "never") return <p class="form-note">The schema allows no value here.</p>;
  if (field.node) return <code class="form-fixed">null</code>;
  const set = (): void => form.set(field.path, "null", field.order);
  return <Button id={frame.control} aria-describedby={frame.described} onClick={set}>Set to null</Button>;
}

// What a text field would change without being asked: carriage returns, controls, half a surrogate pair.
const UNFIT = /[\u0000-\u0008\u000b-\u001f\u007f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Whether a text field gives back exactly what was put in. */
export function isPlainText(value: string): boolean {
  return value.length <= MAX_SHOWN && !UNFIT.test(value);
}

/**
 * Always a field for text, also for dates and addresses: the browser's own
 * fields for those drop what they do not understand.
 */
export function TextControl(props: BodyProps) {
  const { field, view, frame } = props;
  const form = useForm();
  const { node, path, order } = field;
  const value = node?.kind === "string" ? node.value : "";
  const { format } = view.schema;
  const kind = typeof format === "string" ? format : "";
  const set = (text: string): void => {
    if (text === "" && isOptional(field)) form.remove(path);
    else form.set(path, JSON.stringify(text), order);
  };
  const attributes = {
    ...tiesOf(props),
    class: "form-input",
    value,
    placeholder: placeholderText(view.schema, node?.kind === "null"),
    spellcheck: false,
    dir: "auto",
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => set(event.currentTarget.value),
  } as const;
  const isOneLine = !value.includes("\n") && (kind !== "" || (boundOf(view.schema, "maxLength") ?? Infinity) <= ONE_LINE);
  if (!isOneLine) return <textarea {...attributes} rows={1} />;
  const input = <input {...attributes} type="text" autocomplete="off" inputMode={INPUT_MODES[kind] ?? "text"} />;
  if (!isMoment(kind)) return input;
  return (
    <span class="form-line">
      {input}
      <MomentPicker kind={kind} label={frame.label} value={value} onPick={set} />
    </span>
  );
}

const INPUT_MODES: Readonly<Record<string, "email" | "url">> = {
  email: "email", "idn-email": "email", uri: "url", url: "url", iri: "url",
};

function isMoment(format: string): format is Moment {
  return format === "date" || format === "time" || format === "date-time";
}

/** A control whose text is not always a value: its attributes, and what is wrong with the text. */
function useDrafted(props: BodyProps, source: string, commit: (text: string) => Committed) {
  const { shown, problem, type } = useDraft(props.field.path, source, commit);
  const id = `${props.frame.control}-draft`;
  const ties = tiesOf(props);
  return {
    attributes: {
      ...ties,
      "aria-describedby": problem === null ? ties["aria-describedby"] : `${id} ${ties["aria-describedby"]}`,
      "aria-invalid": problem !== null || ties["aria-invalid"],
      value: shown,
      onInput: (event: { readonly currentTarget: { readonly value: string } }) => type(event.currentTarget.value),
    },
    note: problem !== null && <p class="form-draft" id={id}>{problem}</p>,
  };
}

/** RFC 8259 section 6: what is typed goes into the text as it is, so no digit is lost. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

export function NumberControl(props: BodyProps) {
  const form = useForm();
  const { node, path, order, role } = props.field;
  const { attributes, note } = useDrafted(props, node?.kind === "number" ? node.raw : "", (typed) => {
    const text = typed.trim();
    if (text !== "" && !NUMBER.test(text)) return { refusal: "This is not a JSON number." };
    if (text !== "") form.set(path, text, order);
    else if (role === "property") form.remove(path);
    else return { refusal: "A number is missing here." };
    return { source: text };
  });
  const placeholder = placeholderText(props.view.schema, node?.kind === "null");
  return (
    <>
      <input {...attributes} class="form-input form-number" type="text" inputMode="decimal" autocomplete="off" placeholder={placeholder} />
      {note}
    </>
  );
}

/** A part of the arguments as JSON text. Broken JSON stays here and is a problem of the page. */
export function JsonControl(props: BodyProps) {
  const form = useForm();
  const { node, path, order, role } = props.field;
  const source = node ? textOf(form.text, node) : "";
  const { attributes, note } = useDrafted(props, source, (typed) => {
    const value = typed.trim();
    const parsed = parseJson(value);
    if (value === "" && role === "property") form.remove(path);
    else if (parsed.ok) form.set(path, value, order);
    else return { refusal: `This is not JSON: ${parsed.problem.message}.` };
    return { source: value };
  });
  if (source.length > MAX_SHOWN) {
    return <p class="form-note">{source.length.toLocaleString("en")} characters: edit this in the JSON.</p>;
  }
  const { kind } = props.view.shape;
  const hint = kind === "array" ? "[ … ]" : kind === "object" ? "{ … }" : "JSON";
  const rows = Math.min(12, attributes.value.split("\n").length);
  return (
    <>
      <textarea {...attributes} class="form-input form-json" rows={rows} spellcheck={false} placeholder={node ? "" : hint} />
      {note}
    </>
  );
}

/** One of the values that the schema lists. What stands there is kept, also where it is none of them. */
export function ChoiceControl({ options, ...props }: BodyProps & { readonly options: readonly Option[] }) {
  const { field, view, frame } = props;
  const form = useForm();
  const { node, path, order } = field;
  const value = node && valueOf(node);
  const at = value === undefined ? -1 : options.findIndex((each) => isSame(each.value, value));
  const isStray = value !== undefined && at < 0;
  const canLeaveOut = isOptional(field);
  const usual = placeholderText(view.schema, false);
  const choose = (index: string): void => {
    const option = options[Number(index)];
    if (index !== "" && option) form.set(path, writeJson(option.value), order);
    else if (index === "" && canLeaveOut) form.remove(path);
  };
  const chosen = options[at];
  const text = chosen?.text ?? "";
  // Nothing to choose: it stands there, and it must.
  if (chosen && options.length === 1 && !canLeaveOut) return <code class="form-fixed">{optionText(chosen)}</code>;
  return (
    <>
      <PickList
        {...tiesOf(props)}
        all={options}
        textOf={optionText}
        chosen={at < 0 ? null : at}
        what={frame.label}
        class="form-input form-select"
        value={isStray ? "stray" : at < 0 ? "" : String(at)}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {(canLeaveOut || at < 0) && !(isStray && !canLeaveOut) && (
          <option value="">{usual.startsWith("default") ? `not set (${usual})` : "not set"}</option>
        )}
        {isStray && <option value="stray">{shortened(writeJson(value, "", ""))} (not a choice)</option>}
      </PickList>
      {text !== "" && <p class="form-limits" dir="auto">{visibleText(text)}</p>}
    </>
  );
}

function shortened(text: string): string {
  return visibleText(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
