import { useEffect, useRef, useState } from "preact/hooks";

/**
 * Execute at once, or when the verdict on the text that stands there now has come.
 *
 * A wish is about one text: who types on takes it back.
 */
export function useWish(
  text: string,
  pending: boolean,
  run: (token: string | null) => void,
): (token: string | null, isReady: boolean) => void {
  const [wish, setWish] = useState<{ readonly text: string; readonly token: string | null } | null>(null);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (wish === null || (pending && wish.text === text)) return;
    setWish(null);
    if (wish.text === text) latest.current(wish.token);
  }, [wish, text, pending]);
  return (token, isReady) => {
    if (isReady) run(token);
    else setWish({ text, token });
  };
}
