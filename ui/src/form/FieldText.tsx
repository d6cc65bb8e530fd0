import type { JSX } from "preact";
import { FoldedText } from "../views/LongText";

/** Characters that two lines hold; longer texts are folded. */
const SHORT = 150;

/** What the schema says of a place; the whole of a long text on demand. */
export function FieldText({ id, text }: { readonly id: string; readonly text: string }): JSX.Element | null {
  if (text === "") return null;
  return (
    <div class="form-text">
      <FoldedText text={text} id={id} kind="form-words" short={SHORT} lines={2} words={["More", "Less"]} />
    </div>
  );
}
