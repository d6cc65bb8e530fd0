import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Rows } from "./useVirtual";

export interface RowFocus<P> {
  /** Bring a row into view, and give what stands at a place of it the focus as soon as it is drawn. */
  readonly focus: (index: number, place: P) => void;
  /** Where the focus will be; keys may come faster than rows are drawn. */
  readonly wanted: RefObject<P | null>;
}

/** @param selectorOf - Finds what gets the focus. */
export function useRowFocus<P>(rows: Rows, scroller: RefObject<HTMLElement | null>, selectorOf: (place: P) => string): RowFocus<P> {
  const wanted = useRef<P | null>(null);
  const take = (): void => {
    if (wanted.current === null) return;
    const found = scroller.current?.querySelector<HTMLElement>(selectorOf(wanted.current));
    if (!found) return;
    wanted.current = null;
    found.focus({ preventScroll: true });
  };
  useLayoutEffect(take);
  const focus = (index: number, place: P): void => {
    wanted.current = place;
    rows.scrollToIndex(index, { align: "auto" });
    take();
  };
  return { focus, wanted };
}
