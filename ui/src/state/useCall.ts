import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Answer, type Api, isAbort } from "../net/api";
import { type Outcome, readOutcome } from "../net/outcome";
import { problemOf } from "./useLoad";

export type CallState =
  | { readonly phase: "idle" }
  | { readonly phase: "running"; readonly startedAt: number }
  | { readonly phase: "done"; readonly answer: Answer; readonly outcome: Outcome }
  | { readonly phase: "failed"; readonly reason: string }
  | { readonly phase: "cancelled"; readonly afterMs: number };

export interface Call {
  readonly state: CallState;
  readonly run: (body: string, token: string | null) => void;
  readonly cancel: () => void;
}

/** One call at a time; leaving the tool abandons it. */
export function useCall(api: Api, tool: string): Call {
  const [state, setState] = useState<CallState>({ phase: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const run = useCallback(
    (body: string, token: string | null) => {
      if (running.current) return;
      const controller = new AbortController();
      const startedAt = performance.now();
      running.current = controller;
      setState({ phase: "running", startedAt });
      api
        .call(tool, body, token, controller.signal)
        .then(
          (answer): CallState => ({ phase: "done", answer, outcome: readOutcome(answer) }),
          (error: unknown): CallState =>
            isAbort(error)
              ? { phase: "cancelled", afterMs: performance.now() - startedAt }
              : { phase: "failed", reason: problemOf(error) },
        )
        .then((next) => {
          running.current = null;
          setState(next);
        });
    },
    [api, tool],
  );
  const cancel = useCallback(() => running.current?.abort(), []);
  return { state, run, cancel };
}
