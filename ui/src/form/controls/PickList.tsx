import type { ComponentChildren, JSX } from "preact";
import { useMemo, useState } from "preact/hooks";

/** Options that a list draws; of more, those are drawn that are searched for. */
const MOST = 200;

/** A choice of any length: a list, and above a long one a field that narrows it. */
export function PickList<T>({ all, textOf, chosen, what, children, last, ...attributes }: {
  readonly all: readonly T[];
  readonly textOf: (each: T) => string;
  /** The place in `all` of what is chosen. */
  readonly chosen: number | null;
  readonly what: string;
  /** Options before and behind those of `all`. */
  readonly children?: ComponentChildren;
  readonly last?: ComponentChildren;
} & JSX.IntrinsicElements["select"]) {
  const [query, setQuery] = useState("");
  const found = useMemo(() => search(all, textOf, query), [all, textOf, query]);
  const shown = chosen === null || found.includes(chosen) ? found : [chosen, ...found];
  return (
    <>
      {all.length > MOST && (
        <input
          type="search"
          class="form-input"
          aria-label={`Search the choices of ${what}`}
          placeholder={`Search ${all.length.toLocaleString("en")} choices`}
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      <select {...attributes}>
        {children}
        {shown.map((index) => <option key={index} value={String(index)}>{textOf(all[index] as T)}</option>)}
        {last}
        {found.length === MOST && all.length > MOST && <option disabled>More: search for them</option>}
      </select>
    </>
  );
}

/** The places of the first values whose text holds what is searched for. */
function search<T>(all: readonly T[], textOf: (each: T) => string, query: string): readonly number[] {
  const wanted = query.trim().toLowerCase();
  const found: number[] = [];
  for (let at = 0; at < all.length && found.length < MOST; at++) {
    if (wanted === "" || textOf(all[at] as T).toLowerCase().includes(wanted)) found.push(at);
  }
  return found;
}
