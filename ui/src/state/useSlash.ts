import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** "/" goes to the filter, unless somebody is typing. */
export function useSlash(filter: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.composedPath()[0];
      if (target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable=true]")) return;
      event.preventDefault();
      filter.current?.focus();
      filter.current?.select();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [filter]);
}
