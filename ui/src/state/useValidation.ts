import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Api, isAbort } from "../net/api";
import { type Verdict, readVerdict } from "../net/read";
import { problemOf } from "./useLoad";

/** Long enough not to ask at every key, short enough to feel live. */
const PAUSE_MS = 50;

export type Validation = ReturnType<typeof useValidation>;

/** Ask the server about the text while it is typed. Broken JSON is not sent. */
export function useValidation(api: Api, tool: string, text: string, isJson: boolean) {
  const [answered, setAnswered] = useState<{ text: string; verdict: Verdict } | null>(null);
  const [round, setRound] = useState(0);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isJson) return undefined;
    // Aborting is what drops stale answers: the effect of an older text is always undone first.
    const controller = new AbortController();
    const ask = async (): Promise<void> => {
      const verdict = await api
        .validate(tool, text, controller.signal)
        .then(readVerdict)
        .catch((error: unknown): Verdict | null =>
          isAbort(error) ? null : { kind: "unknown", reason: problemOf(error) },
        );
      if (verdict && !controller.signal.aborted) setAnswered({ text, verdict });
    };
    const timer = setTimeout(() => void ask(), isFirst.current ? 0 : PAUSE_MS);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [api, tool, text, isJson, round]);
  const retry = useCallback(() => {
    setAnswered(null);
    setRound((each) => each + 1);
  }, []);
  return { verdict: answered?.verdict ?? null, pending: isJson && answered?.text !== text, retry };
}
