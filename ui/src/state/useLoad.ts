import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Answer, Unreachable, isAbort } from "../net/api";
import type { Loaded } from "../net/read";

export type LoadState<T> =
  | { readonly phase: "loading" }
  | { readonly phase: "ready"; readonly value: T }
  | { readonly phase: "failed"; readonly problem: string; readonly status: number | null };

/**
 * Fetch something and read it; `reload` does it again. So does another `again`,
 * and then what is there stays until the answer has come.
 *
 * `ask` and `read` must keep their identity for as long as the same thing is meant.
 */
export function useLoad<T>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  read: (answer: Answer) => Loaded<T>,
  again = 0,
): LoadState<T> & { readonly reload: () => void } {
  const [state, setState] = useState<LoadState<T>>({ phase: "loading" });
  const [round, setRound] = useState(0);
  const asked = useRef(again);
  useEffect(() => {
    const controller = new AbortController();
    const stays = asked.current !== again;
    asked.current = again;
    setState((before) => (stays && before.phase === "ready" ? before : { phase: "loading" }));
    ask(controller.signal).then(
      (answer) => {
        if (controller.signal.aborted) return;
        const loaded = read(answer);
        setState("value" in loaded ? { phase: "ready", ...loaded } : { phase: "failed", ...loaded });
      },
      (error: unknown) => {
        if (isAbort(error)) return;
        setState({ phase: "failed", problem: problemOf(error), status: null });
      },
    );
    return () => controller.abort();
  }, [ask, read, round, again]);
  const reload = useCallback(() => setRound((each) => each + 1), []);
  return { ...state, reload };
}

/** The sentence for a request that got no answer. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Unreachable)) throw error;
  return navigator.onLine
    ? "The server cannot be reached. Is it still running?"
    : "This computer is offline.";
}
