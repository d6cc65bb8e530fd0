import { useCallback, useEffect, useState } from "preact/hooks";
import { type Run, readRuns, storeRuns } from "../history";
import { storageOrNull } from "./storage";

export type History = ReturnType<typeof useHistory>;

/** The runs of this page's server, kept in this browser alone; all its tabs show the same. */
export function useHistory(base: string) {
  const key = `toolgauge-history ${base}`;
  const [runs, setRuns] = useState(() => readRuns(storageOrNull("localStorage"), key));
  const store = useCallback(
    (change: (runs: readonly Run[]) => readonly Run[]) =>
      setRuns((known) => {
        const storage = storageOrNull("localStorage");
        // Another tab may have written or cleared meanwhile, so what is stored counts.
        return storeRuns(storage, key, change(storage === null ? known : readRuns(storage, key)));
      }),
    [key],
  );
  useEffect(() => {
    const follow = (event: StorageEvent): void => {
      // No key where all was cleared.
      if (event.key === key || event.key === null) setRuns(readRuns(storageOrNull("localStorage"), key));
    };
    addEventListener("storage", follow);
    return () => removeEventListener("storage", follow);
  }, [key]);
  const add = useCallback((run: Run) => store((before) => [run, ...before.filter(({ id }) => id !== run.id)]), [store]);
  const clear = useCallback((tool: string) => store((before) => before.filter((each) => each.tool !== tool)), [store]);
  return { runs, add, clear };
}
