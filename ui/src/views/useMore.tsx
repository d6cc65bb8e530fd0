import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./buttons";

interface More<T> {
  readonly shown: readonly T[];
  readonly more: JSX.Element | null;
  /** Show at least so many. */
  readonly reveal: (count: number) => void;
}

/** The first of many rows, and a button for more of them. */
export function useMore<T>(all: readonly T[], first: number, step = 2 * first): More<T> {
  const [limit, setLimit] = useState(first);
  const rest = all.length - limit;
  const more = rest <= 0 ? null : (
    <Button class="link-button form-rest" onClick={() => setLimit(limit + step)}>
      Show more of {rest.toLocaleString("en")}
    </Button>
  );
  return { shown: rest <= 0 ? all : all.slice(0, limit), more, reveal: (count) => setLimit(Math.max(limit, count)) };
}
