import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Answer, type Api, isAbort } from "../net/api";
import { type Outcome, readOutcome } from "../net/outcome";
import { newTrace } from "../trace";
import { problemOf } from "./useLoad";

export type CallState =
  | { readonly phase: "idle" }
  | { readonly phase: "running"; readonly startedAt: number }
  | Done
  | { readonly phase: "failed"; readonly reason: string }
  | { readonly phase: "cancelled"; readonly afterMs: number };

export interface Done {
  readonly phase: "done";
  readonly answer: Answer;
  readonly outcome: Outcome;
  /** Under which the server logs the call. */
  readonly traceId: string;
}

export interface Call {
  readonly state: CallState;
  readonly run: (body: string, token: string | null) => void;
  readonly cancel: () => void;
}

/** One call at a time; leaving the tool abandons it. `onDone` hears of every answer. */
export function useCall(api: Api, tool: string, onDone?: (body: string, done: Done) => void): Call {
  const [state, setState] = useState<CallState>({ phase: "idle" });
  const running = useRef<AbortController | null>(null);
  const heard = useRef(onDone);
  heard.current = onDone;
  useEffect(() => () => running.current?.abort(), []);
  const run = useCallback(
    (body: string, token: string | null) => {
      if (running.current) return;
      const controller = new AbortController();
      const startedAt = performance.now();
      const trace = newTrace();
      running.current = controller;
      setState({ phase: "running", startedAt });
      api
        .call(tool, body, token, controller.signal, trace.header)
        .then(
          (answer): CallState => ({ phase: "done", answer, outcome: readOutcome(answer), traceId: trace.id }),
          (error: unknown): CallState =>
            isAbort(error)
              ? { phase: "cancelled", afterMs: performance.now() - startedAt }
              : { phase: "failed", reason: problemOf(error) },
        )
        .then((next) => {
          running.current = null;
          setState(next);
          if (next.phase === "done") heard.current?.(body, next);
        });
    },
    [api, tool],
  );
  const cancel = useCallback(() => running.current?.abort(), []);
  return { state, run, cancel };
}
