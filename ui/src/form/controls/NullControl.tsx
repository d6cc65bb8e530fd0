import type { JSX } from "preact";
import type { BodyProps } from "../Body";
import { useForm } from "../context";

/** Where only `null` may stand, or nothing at all. */
export function NullControl({ field, view, frame }: BodyProps): JSX.Element {
  const form = useForm();
  if (view.shape.kind === "never") return <p class="form-note">The schema allows no value here.</p>;
  if (field.node) return <code class="form-fixed">null</code>;
  return (
    <button
      type="button"
      id={frame.control}
      class="small-button"
      aria-describedby={frame.described}
      onClick={() => form.set(field.path, "null", field.order)}
    >
      Set to null
    </button>
  );
}
