import type { JSX } from "preact";
import type { BodyProps } from "../Body";
import { useForm } from "../context";
import { placeholderText } from "../words";

/** Two buttons of which none is pressed while nothing is sent. */
export function BooleanControl({ field, view, frame }: BodyProps): JSX.Element {
  const form = useForm();
  const { node, path, order } = field;
  const usual = node ? "" : placeholderText(view.schema, false);
  return (
    <div class="form-line">
      <div
        class="segments"
        role="radiogroup"
        aria-labelledby={frame.name}
        aria-describedby={frame.described}
        aria-invalid={frame.isInvalid}
        aria-required={field.isRequired}
      >
        {[true, false].map((value) => (
          <label key={String(value)} class="segment">
            <input
              type="radio"
              id={value ? frame.control : undefined}
              name={frame.control}
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
