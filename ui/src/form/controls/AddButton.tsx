import type { JSX, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { PlusIcon } from "../../views/icons";

/** Puts a first value where none stands; `what` completes the name for those who do not see the place. */
export function AddButton({
  id,
  describedBy,
  text,
  what,
  onAdd,
}: {
  readonly id?: string;
  readonly describedBy?: string;
  readonly text: string;
  readonly what: string;
  readonly onAdd: () => void;
}): JSX.Element {
  return (
    <button
      type="button"
      id={id}
      class="small-button form-add"
      aria-describedby={describedBy}
      aria-label={`${text} ${what}`}
      onClick={onAdd}
    >
      <PlusIcon /> {text}
    </button>
  );
}

const PARTS = ":scope > .form-field, :scope > .form-item > .form-field";
const CONTROL = ":scope > .form-control :is(input, textarea, select, button)";

/** Gives a function after which the first or the newest part gets the focus, once it is there. */
export function useFocusOnNew(parts: RefObject<HTMLElement | null>): (which: "first" | "newest") => void {
  const awaited = useRef<"first" | "newest" | null>(null);
  // Before the next key is taken, and not some time after the page was drawn.
  useLayoutEffect(() => {
    const which = awaited.current;
    if (which === null) return;
    awaited.current = null;
    const fields = [...(parts.current?.querySelectorAll<HTMLElement>(PARTS) ?? [])];
    fields.at(which === "first" ? 0 : -1)?.querySelector<HTMLElement>(CONTROL)?.focus();
  });
  return (which) => {
    awaited.current = which;
  };
}
