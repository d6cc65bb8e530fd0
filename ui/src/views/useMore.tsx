import type { JSX } from "preact";
import { useState } from "preact/hooks";

/** The first of many rows, and a button for more of them. */
export function useMore<T>(all: readonly T[], first: number): { readonly shown: readonly T[]; readonly more: JSX.Element | null } {
  const [limit, setLimit] = useState(first);
  const rest = all.length - limit;
  const more = rest <= 0 ? null : (
    <button type="button" class="link-button form-rest" onClick={() => setLimit(limit + 2 * first)}>
      Show more of {rest.toLocaleString("en")}
    </button>
  );
  return { shown: rest <= 0 ? all : all.slice(0, limit), more };
}
