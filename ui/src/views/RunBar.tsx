import { useEffect, useState } from "preact/hooks";
import type { Readiness } from "../readiness";
import type { CallState } from "../state/useCalls";
import { Button } from "./buttons";

const TICK_MS = 100;
const IS_MAC = /mac|iphone|ipad/i.test(navigator.userAgent);

export function RunBar({ ready, state, onRun, onCancel }: {
  readonly ready: Readiness;
  readonly state: CallState;
  readonly onRun: () => void;
  readonly onCancel: () => void;
}) {
  const isRunning = state.phase === "running";
  // Not `disabled`: the button keeps the focus while it waits, and its reason can be read.
  const isBlocked = !ready.ok || isRunning;
  return (
    <div class="runbar">
      <Button
        class="button primary"
        aria-disabled={isBlocked}
        aria-describedby="run-reason"
        onClick={isRunning ? undefined : onRun}
      >
        Execute
      </Button>
      {isRunning && (
        <>
          <Button class="button" onClick={onCancel}>Cancel</Button>
          <Elapsed since={state.startedAt} />
        </>
      )}
      <span id="run-reason" class="run-reason">
        {!ready.ok && ready.reason}
        {ready.ok && !isRunning && <span class="shortcut">{IS_MAC ? "⌘" : "Ctrl"} + Enter</span>}
      </span>
    </div>
  );
}

function Elapsed({ since }: { readonly since: number }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <span class="elapsed">
      <span class="spinner" aria-hidden="true" />
      <span role="timer">Running, {(Math.max(0, now - since) / 1000).toFixed(1)} s</span>
    </span>
  );
}
