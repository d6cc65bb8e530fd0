import type { JSX } from "preact";
import { textOf } from "../../json/edit";
import { parseJson } from "../../json/parse";
import type { BodyProps } from "../Body";
import { useForm } from "../context";
import { useDraft } from "../useDraft";

/** Characters; above it the editor beside the form is the better place. */
const MAX_SHOWN = 100_000;

/** A part of the arguments as JSON text. Broken JSON stays here and is a problem of the page. */
export function JsonControl({ field, view, frame }: BodyProps): JSX.Element {
  const form = useForm();
  const { node, path, order } = field;
  const source = node ? textOf(form.text, node) : "";
  const { shown, problem, type } = useDraft(path, source, (typed) => {
    const value = typed.trim();
    const parsed = parseJson(value);
    if (value === "" && field.role === "property") form.remove(path);
    else if (parsed.ok) form.set(path, value, order);
    else return { refusal: `This is not JSON: ${parsed.problem.message}.` };
    return { source: value };
  });
  if (source.length > MAX_SHOWN) {
    return <p class="form-note">{source.length.toLocaleString("en")} characters: edit this in the JSON.</p>;
  }
  const hint = view.shape.kind === "array" ? "[ … ]" : view.shape.kind === "object" ? "{ … }" : "JSON";
  const problemId = `${frame.control}-draft`;
  return (
    <>
      <textarea
        id={frame.control}
        class="form-input form-json"
        rows={Math.min(12, shown.split("\n").length)}
        spellcheck={false}
        aria-labelledby={frame.name}
        aria-describedby={problem === null ? frame.described : `${problemId} ${frame.described}`}
        aria-invalid={problem !== null || frame.isInvalid}
        placeholder={node ? "" : hint}
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
