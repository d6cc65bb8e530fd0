import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Rows } from "./useVirtual";

/** Bring a row into view, and give it the focus as soon as it is drawn. */
export function useRowFocus(
  rows: Rows,
  scroller: RefObject<HTMLElement | null>,
): { readonly focusRow: (index: number) => void; readonly wanted: RefObject<number | null> } {
  const wanted = useRef<number | null>(null);
  const take = (): void => {
    if (wanted.current === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] > :is(a, button)`);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  };
  useLayoutEffect(take);
  const focusRow = (index: number): void => {
    wanted.current = index;
    rows.scrollToIndex(index, { align: "auto" });
    take();
  };
  return { focusRow, wanted };
}
