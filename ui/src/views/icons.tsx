import type { JSX } from "preact";

/** Sixteen pixels, one stroke, decoration only: the words stand beside them. */
function icon(path: string): () => JSX.Element {
  return () => <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d={path} /></svg>;
}

export const SearchIcon = icon("M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.4 10.4 14 14");
export const SunIcon = icon(
  "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
);
export const MoonIcon = icon("M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z");
export const ReloadIcon = icon("M13.5 8A5.5 5.5 0 1 1 11.7 4M13.5 2v3h-3");
export const CopyIcon = icon("M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3");
export const CheckIcon = icon("M3 8.5 6.5 12 13 4.5");
export const BackIcon = icon("M10 3 5 8l5 5");
export const ChevronIcon = icon("M6 4l4 4-4 4");
export const CrossIcon = icon("M4 4l8 8M12 4l-8 8");
export const UpIcon = icon("M8 13V3M4 7l4-4 4 4");
export const DownIcon = icon("M8 3v10M4 9l4 4 4-4");
export const PlusIcon = icon("M8 3v10M3 8h10");
export const CalendarIcon = icon("M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3M10.5 2v3");
