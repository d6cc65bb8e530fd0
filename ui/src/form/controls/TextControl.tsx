import type { JSX } from "preact";
import { boundOf } from "../../schema/keywords";
import type { BodyProps } from "../Body";
import { useForm } from "../context";
import { isOptional } from "../fields";
import { placeholderText } from "../words";
import { type Moment, MomentPicker } from "./MomentPicker";

/** Characters; above it a text field is slower than the editor beside it. */
const MAX_SHOWN = 100_000;
/** A text that may be at most this long needs one line. */
const ONE_LINE = 80;

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
export function TextControl({ field, view, frame }: BodyProps): JSX.Element {
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
    id: frame.control,
    "aria-labelledby": frame.name,
    "aria-describedby": frame.described,
    "aria-invalid": frame.isInvalid,
    "aria-required": field.isRequired,
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
