import type { JSX } from "preact";
import { isSame } from "../../json/equal";
import { writeJson } from "../../json/value";
import { visibleText } from "../../names";
import type { BodyProps } from "../Body";
import { useForm, valueOf } from "../context";
import { isOptional } from "../fields";
import { type Option, optionText } from "../options";
import { placeholderText } from "../words";
import { PickList } from "./PickList";

/** One of the values that the schema lists. What stands there is kept, also where it is none of them. */
export function ChoiceControl({ field, view, frame, options }: BodyProps & { readonly options: readonly Option[] }): JSX.Element {
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
        all={options}
        textOf={optionText}
        chosen={at < 0 ? null : at}
        what={frame.label}
        id={frame.control}
        class="form-input form-select"
        aria-labelledby={frame.name}
        aria-describedby={frame.described}
        aria-invalid={frame.isInvalid}
        aria-required={field.isRequired}
        value={isStray ? "stray" : at < 0 ? "" : String(at)}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {(canLeaveOut || at < 0) && !(isStray && !canLeaveOut) && (
          <option value="">{usual.startsWith("default") ? `not set (${usual})` : "not set"}</option>
        )}
        {isStray && value !== undefined && <option value="stray">{shortened(writeJson(value, "", ""))} (not a choice)</option>}
      </PickList>
      {text !== "" && <p class="form-limits" dir="auto">{visibleText(text)}</p>}
    </>
  );
}

function shortened(text: string): string {
  return visibleText(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
