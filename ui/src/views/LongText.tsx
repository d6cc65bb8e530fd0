import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { visibleText } from "../names";

/** Characters that are laid out at once; ten megabytes would freeze the page. */
const LIMIT = 100_000;

/** Preformatted text of any length, always as text; what would reorder it is spelt out. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > LIMIT;
  return (
    <>
      <pre class="code" tabIndex={0} role="region" aria-label={label} dir="auto">
        {visibleText(isCut ? text.slice(0, LIMIT) : text)}
      </pre>
      {isCut && (
        <p class="cut">
          The first {LIMIT.toLocaleString("en")} of {text.length.toLocaleString("en")} characters.{" "}
          <button type="button" class="link-button" onClick={() => setWhole(true)}>
            Show all
          </button>
        </p>
      )}
    </>
  );
}
