import type { JSX } from "preact";
import { useState } from "preact/hooks";

/** Characters that two lines hold; longer texts are folded. */
const SHORT = 150;

/** What the schema says of a place; the whole of a long text on demand. */
export function FieldText({ id, text }: { readonly id: string; readonly text: string }): JSX.Element | null {
  const [isWhole, setWhole] = useState(false);
  if (text === "") return null;
  const isLong = text.length > SHORT || text.split("\n").length > 2;
  return (
    <div class="form-text">
      <p class={isLong && !isWhole ? "form-words folded" : "form-words"} id={id} dir="auto">
        {text}
      </p>
      {isLong && (
        <button type="button" class="link-button form-more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Less" : "More"}
        </button>
      )}
    </div>
  );
}
