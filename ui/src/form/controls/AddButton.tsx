import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../views/buttons";
import { PlusIcon } from "../../views/icons";

/** Puts a first value where none stands; `what` completes the name for those who do not see the place. */
export function AddButton({ id, describedBy, text, what, onAdd }: {
  readonly id?: string;
  readonly describedBy?: string;
  readonly text: string;
  readonly what: string;
  readonly onAdd: () => void;
}) {
  return (
    <Button id={id} class="small-button form-add" aria-describedby={describedBy} aria-label={`${text} ${what}`} onClick={onAdd}>
      <PlusIcon /> {text}
    </Button>
  );
}

const PARTS = ":scope > .form-field, :scope > .form-item > .form-field";
const REMOVE = ":scope > .form-actions > .icon";
const ORDER = ":scope > .form-order > button";
const CONTROL = ":scope > .form-control :is(input, textarea, select, button)";

const ADD = ":scope > .form-add, :scope > .form-new > input";

type Find = (parts: HTMLElement) => HTMLElement | null | undefined;

export const firstPart: Find = (parts) => fieldsOf(parts)[0]?.querySelector<HTMLElement>(CONTROL);

export const newestPart: Find = (parts) => fieldsOf(parts).at(-1)?.querySelector<HTMLElement>(CONTROL);

/** What stands there now in the place of a part that was removed: where it can be removed as well. */
export function placeOfRemoved(index: number): Find {
  return (parts) => {
    const field = fieldsOf(parts)[index] ?? fieldsOf(parts).at(-1);
    const found = field?.querySelector<HTMLElement>(REMOVE) ?? field?.querySelector<HTMLElement>(CONTROL);
    return found ?? parts.querySelector<HTMLElement>(ADD);
  };
}

/** The button by which an item was moved here; the other one where it can go no further. */
export function movedItem(index: number, which: "up" | "down"): Find {
  return (parts) => {
    const buttons = parts.querySelectorAll(":scope > .form-item")[index]?.querySelectorAll<HTMLButtonElement>(ORDER);
    const [up, down] = buttons ?? [];
    const [same, other] = which === "up" ? [up, down] : [down, up];
    return same?.disabled === false ? same : other;
  };
}

function fieldsOf(parts: HTMLElement): readonly HTMLElement[] {
  return [...parts.querySelectorAll<HTMLElement>(PARTS)];
}

/** Gives a function after which what is found gets the focus, once the change is drawn. */
export function useFocusAfter(parts: RefObject<HTMLElement | null>): (find: Find) => void {
  const awaited = useRef<Find | null>(null);
  // Before the next key is taken, and not some time after the page was drawn.
  useLayoutEffect(() => {
    const find = awaited.current;
    if (find === null) return;
    awaited.current = null;
    if (parts.current) find(parts.current)?.focus();
  });
  return (find) => {
    awaited.current = find;
  };
}
