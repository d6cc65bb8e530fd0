import { useState } from "preact/hooks";
import { visibleText } from "../names";
import { Button } from "./buttons";

/** Characters that are laid out at once; ten megabytes would freeze the page. */
const LIMIT = 100_000;

/** Preformatted text of any length, always as text; what would reorder it is spelt out. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }) {
  const [limit, setLimit] = useState(LIMIT);
  return (
    <>
      <pre class="code" tabIndex={0} role="region" aria-label={label} dir="auto">
        {visibleText(text.slice(0, limit), Infinity)}
      </pre>
      {limit < text.length && (
        <p class="cut">
          The first {limit.toLocaleString("en")} of {text.length.toLocaleString("en")} characters.{" "}
          <Button class="link-button" onClick={() => setLimit(limit + LIMIT)}>Show more</Button>
        </p>
      )}
    </>
  );
}

/** Characters of a folded text that are laid out. */
const FOLDED = 1_000;

/** A text that is folded where it is longer than `short` characters or some lines; the whole of it on demand. */
export function FoldedText({ text, id, kind, short, lines, words: [more, less] }: {
  readonly text: string;
  readonly id?: string;
  /** The class of the paragraph. */
  readonly kind: string;
  readonly short: number;
  readonly lines: number;
  readonly words: readonly [more: string, less: string];
}) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > short || text.split("\n").length > lines;
  return (
    <>
      {isWhole && text.length > LIMIT ? <LongText text={text} label="Description" /> : (
        <p class={isLong && !isWhole ? `${kind} folded` : kind} id={id} dir="auto">
          {visibleText(isWhole ? text : text.slice(0, FOLDED), Infinity)}
        </p>
      )}
      {isLong && (
        <Button class={`link-button ${kind}-more`} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? less : more}
        </Button>
      )}
    </>
  );
}
