import { useEffect, useState } from "preact/hooks";
import { type Api, isAbort } from "../net/api";
import { type LogAnswer, joinLines, readLog } from "../net/log";
import { problemOf } from "./useLoad";

const PAUSE_MS = 1_000;
/** After a failure there is no hurry. */
const LONG_PAUSE_MS = 5_000;
/** As many as the server keeps. */
const MAX_LINES = 1_000;

export interface LogState {
  readonly found: LogAnswer | null;
  readonly problem: string | null;
  readonly isUnauthorized: boolean;
  /** Whether the newest answer is one to a request with a token. */
  readonly hadToken: boolean;
}

/** Follow the server's log, as long as the page is in sight and is not paused. */
export function useLog(api: Api, token: string | null, isPaused: boolean): LogState {
  const [state, setState] = useState<LogState>({ found: null, problem: null, isUnauthorized: false, hadToken: false });
  useEffect(() => {
    if (isPaused) return undefined;
    const controller = new AbortController();
    let found: LogAnswer | null = state.found;
    let timer = 0;
    const ask = async (): Promise<void> => {
      const next = await once(api, token, found, controller.signal);
      if (next === null || controller.signal.aborted) return;
      found = next.found;
      setState(next);
      if (!next.isUnauthorized) wait(next.problem === null ? PAUSE_MS : LONG_PAUSE_MS);
    };
    const wait = (ms: number): void => {
      timer = window.setTimeout(() => (document.hidden ? wait(ms) : void ask()), ms);
    };
    void ask();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [api, token, isPaused]);
  return state;
}

/** Ask once; `null` where the question was taken back. */
async function once(
  api: Api,
  token: string | null,
  found: LogAnswer | null,
  signal: AbortSignal,
): Promise<LogState | null> {
  const hadToken = token !== null;
  try {
    const answer = await api.log(found?.last ?? 0, token, signal);
    const read = readLog(answer);
    if ("problem" in read) {
      return { found, problem: read.problem, isUnauthorized: answer.status === 401, hadToken };
    }
    // A feed with smaller numbers was asked for lines that it has not yet.
    if (found !== null && read.value.feed !== found.feed && found.last > 0) {
      return once(api, token, null, signal);
    }
    const isSame = found !== null && read.value.lines.length === 0;
    return { found: isSame ? found : joinLines(found, read.value, MAX_LINES), problem: null, isUnauthorized: false, hadToken };
  } catch (error) {
    return isAbort(error) ? null : { found, problem: problemOf(error), isUnauthorized: false, hadToken };
  }
}
