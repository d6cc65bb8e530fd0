import { useCallback, useState } from "preact/hooks";
import { type Run, readRuns, storeRuns } from "../history";

export interface History {
  /** Of all tools, newest first. */
  readonly runs: readonly Run[];
  readonly add: (run: Run) => void;
  /** Forget the runs of one tool. */
  readonly clear: (tool: string) => void;
}

/** The runs of this page's server, kept in this browser alone. */
export function useHistory(base: string): History {
  const key = `toolgauge-history ${base}`;
  const [runs, setRuns] = useState(() => readRuns(localStorageOrNone(), key));
  const store = useCallback(
    (change: (runs: readonly Run[]) => readonly Run[]) =>
      // Another tab may have written meanwhile, so what is stored counts.
      setRuns((known) => {
        const stored = readRuns(localStorageOrNone(), key);
        return storeRuns(localStorageOrNone(), key, change(stored.length > 0 ? stored : known));
      }),
    [key],
  );
  const add = useCallback((run: Run) => store((before) => [run, ...before.filter(({ id }) => id !== run.id)]), [store]);
  const clear = useCallback((tool: string) => store((before) => before.filter((each) => each.tool !== tool)), [store]);
  return { runs, add, clear };
}

const NONE = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

function localStorageOrNone(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  try {
    return localStorage;
  } catch (error) {
    // A sandboxed frame has none; the history then lasts as long as the page.
    console.debug("toolgauge: there is no storage", error);
    return NONE;
  }
}
