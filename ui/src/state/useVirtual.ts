import {
  type Range,
  Virtualizer,
  defaultRangeExtractor,
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";

/** Lists up to this long are drawn whole, so that the browser's own search finds everything. */
const WHOLE = 80;

export type Rows = Virtualizer<HTMLElement, HTMLElement>;

/**
 * Draw only the rows that are in sight, and some around them.
 *
 * `kept` is drawn wherever it is: the row that has the focus, or would get it.
 */
export function useVirtual(given: {
  readonly count: number;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Pixels. */
  readonly sizeOf: (index: number) => number;
  readonly keyOf?: (index: number) => string | number;
  readonly kept?: number | null;
}): Rows {
  const [, redraw] = useReducer((round: number) => round + 1, 0);
  const { count, scroller, sizeOf, keyOf, kept } = given;
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: sizeOf,
    getItemKey: keyOf ?? ((index: number) => index),
    overscan: count <= WHOLE ? WHOLE : 12,
    rangeExtractor: (range: Range) => withKept(defaultRangeExtractor(range), kept ?? null, count),
    observeElementRect,
    observeElementOffset,
    measureElement: (row: HTMLElement, entry: ResizeObserverEntry | undefined, own: Rows) =>
      // A hidden row has no height; to believe that would draw all the others, one batch after another.
      measureElement(row, entry, own) || sizeOf(own.indexFromElement(row)),
    scrollToFn: elementScroll,
    onChange: () => redraw(undefined),
  };
  const [rows] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  rows.setOptions(options);
  useLayoutEffect(() => rows._didMount(), []);
  useLayoutEffect(() => rows._willUpdate());
  return rows;
}

function withKept(shown: number[], kept: number | null, count: number): number[] {
  if (kept === null || kept >= count || kept < 0 || shown.includes(kept)) return shown;
  return [...shown, kept].sort((a, b) => a - b);
}
