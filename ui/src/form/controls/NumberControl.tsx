import type { JSX } from "preact";
import type { BodyProps } from "../Body";
import { useForm } from "../context";
import { isOptional } from "../fields";
import { useDraft } from "../useDraft";
import { placeholderText } from "../words";

/** RFC 8259 section 6: what is typed goes into the text as it is, so no digit is lost. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

export function NumberControl({ field, view, frame }: BodyProps): JSX.Element {
  const form = useForm();
  const { node, path, order } = field;
  const { shown, problem, type } = useDraft(path, node?.kind === "number" ? node.raw : "", (typed) => {
    const text = typed.trim();
    if (text !== "" && !NUMBER.test(text)) return { refusal: "This is not a JSON number." };
    if (text !== "") form.set(path, text, order);
    else if (field.role === "property") form.remove(path);
    else return { refusal: "A number is missing here." };
    return { source: text };
  });
  const problemId = `${frame.control}-draft`;
  return (
    <>
      <input
        id={frame.control}
        class="form-input form-number"
        type="text"
        inputMode="decimal"
        autocomplete="off"
        aria-labelledby={frame.name}
        aria-describedby={problem === null ? frame.described : `${problemId} ${frame.described}`}
        aria-invalid={problem !== null || frame.isInvalid}
        aria-required={field.isRequired && !isOptional(field)}
        placeholder={placeholderText(view.schema, node?.kind === "null")}
        value={shown}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {problem !== null && (
        <p class="form-draft" id={problemId}>
          {problem}
        </p>
      )}
    </>
  );
}
