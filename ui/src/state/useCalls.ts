import { useCallback, useRef, useState } from "preact/hooks";
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
  readonly hadToken: boolean;
}

/** What was asked. */
export interface Asked {
  readonly tool: string;
  readonly body: string;
  readonly token: string | null;
}

export type Calls = ReturnType<typeof useCalls>;

const IDLE: CallState = { phase: "idle" };

/**
 * The newest call of each tool, one at a time.
 *
 * Held by the page and not by a tool's view: a call goes on while one looks
 * elsewhere. `onDone` hears of every answer.
 */
export function useCalls(api: Api, onDone: (asked: Asked, done: Done) => void) {
  const [states, setStates] = useState<ReadonlyMap<string, CallState>>(new Map());
  const running = useRef(new Map<string, AbortController>());
  const heard = useRef(onDone);
  heard.current = onDone;
  const run = useCallback(
    (asked: Asked) => {
      const { tool, body, token } = asked;
      if (running.current.has(tool)) return;
      const controller = new AbortController();
      const startedAt = performance.now();
      const trace = newTrace();
      const put = (state: CallState): void => setStates((before) => new Map(before).set(tool, state));
      running.current.set(tool, controller);
      put({ phase: "running", startedAt });
      api
        .call(tool, body, token, controller.signal, trace.header)
        .then(
          (answer): CallState => ({
            phase: "done",
            answer,
            outcome: readOutcome(answer),
            traceId: trace.id,
            hadToken: token !== null,
          }),
          (error: unknown): CallState =>
            isAbort(error)
              ? { phase: "cancelled", afterMs: performance.now() - startedAt }
              : { phase: "failed", reason: problemOf(error) },
        )
        .then((next) => {
          running.current.delete(tool);
          put(next);
          if (next.phase === "done") heard.current(asked, next);
        });
    },
    [api],
  );
  const cancel = useCallback((tool: string) => running.current.get(tool)?.abort(), []);
  const stateOf = useCallback((tool: string) => states.get(tool) ?? IDLE, [states]);
  return { stateOf, run, cancel };
}
