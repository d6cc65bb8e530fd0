import type { JSX } from "preact";
import { formatDuration } from "../duration";
import type { Answer } from "../net/api";
import type { Outcome, ResultOutcome } from "../net/outcome";
import type { CallState } from "../state/useCall";
import { Blocks } from "./Blocks";
import { CopyButton } from "./CopyButton";
import { LongText } from "./LongText";
import { Notice } from "./Notice";
import { Tabs } from "./Tabs";
import { TokenForm } from "./TokenForm";

interface Props {
  readonly state: CallState;
  readonly hadToken: boolean;
  readonly onRetry: () => void;
  readonly onToken: (token: string) => void;
}

export function ResultCard(props: Props): JSX.Element {
  return (
    <section class="card" aria-label="Result">
      <h3 class="card-title">Result</h3>
      <p class="off-screen" role="status">
        {announcement(props.state)}
      </p>
      <Body {...props} />
    </section>
  );
}

/** What a screen reader says; a whole result read aloud would help nobody. */
function announcement(state: CallState): string {
  if (state.phase === "running") return "Running";
  if (state.phase !== "done" || state.outcome.kind !== "result") return "";
  return state.outcome.isError ? "The tool answered with an error" : "The tool answered";
}

function Body({ state, hadToken, onRetry, onToken }: Props): JSX.Element {
  const again = { label: "Try again", run: onRetry };
  switch (state.phase) {
    case "idle":
      return <p class="hint">Nothing was executed yet.</p>;
    case "running":
      return <p class="hint">Waiting for the answer…</p>;
    case "cancelled":
      return (
        <Notice title={`Cancelled after ${formatDuration(state.afterMs)}`}>
          This page stopped waiting. The tool may still be running on the server.
        </Notice>
      );
    case "failed":
      return (
        <Notice tone="bad" title="No answer" action={again}>
          {state.reason}
        </Notice>
      );
    case "done":
      return <Done outcome={state.outcome} answer={state.answer} again={again} hadToken={hadToken} onToken={onToken} />;
  }
}

function Done({
  outcome,
  answer,
  again,
  hadToken,
  onToken,
}: {
  readonly outcome: Outcome;
  readonly answer: Answer;
  readonly again: { readonly label: string; readonly run: () => void };
  readonly hadToken: boolean;
  readonly onToken: (token: string) => void;
}): JSX.Element {
  switch (outcome.kind) {
    case "result":
      return <Result outcome={outcome} answer={answer} />;
    case "unauthorized":
      // A new key per answer: a refused token must not stay in the field.
      return <TokenForm key={answer.durationMs} hadToken={hadToken} onToken={onToken} />;
    case "disabled":
      return (
        <Notice tone="warn" title="The server refuses to execute (status 403)">
          {outcome.reason}
        </Notice>
      );
    case "busy":
      return (
        <Notice tone="warn" title="The server is busy (status 503)" action={again}>
          {outcome.retryAfterS === null
            ? "Too many calls are running. Try again in a moment."
            : `Too many calls are running. It asks to wait ${outcome.retryAfterS} s.`}
        </Notice>
      );
    case "invalid":
      return (
        <Notice tone="bad" title="The server refused the arguments (status 400)">
          <ul>
            {outcome.issues.map((issue, index) => (
              <li key={index}>
                {issue.path !== "" && <code>{issue.path}</code>} {issue.message}
              </li>
            ))}
          </ul>
        </Notice>
      );
    case "refused":
      return (
        <Notice tone="bad" title={`The call failed (status ${answer.status})`} action={again}>
          {outcome.reason}
        </Notice>
      );
  }
}

function Result({ outcome, answer }: { readonly outcome: ResultOutcome; readonly answer: Answer }): JSX.Element {
  const { structured } = outcome;
  const tabs = [
    { id: "content", label: "Content", body: <Blocks blocks={outcome.blocks} /> },
    ...(structured === null
      ? []
      : [{ id: "structured", label: "Structured", body: <LongText text={structured} label="Structured content" /> }]),
    { id: "raw", label: "Raw", body: <LongText text={answer.body} label="Raw body" /> },
  ];
  return (
    <>
      <p class="outcome">
        <span class={`verdict ${outcome.isError ? "bad" : "good"}`}>
          {outcome.isError ? "Tool error" : "Success"}
        </span>
        <span>status {answer.status}</span>
        <span>{formatDuration(answer.durationMs)}</span>
        {outcome.traceId !== null && (
          <span class="trace">
            trace <code>{outcome.traceId}</code> <CopyButton text={outcome.traceId} what="the trace id" />
          </span>
        )}
      </p>
      <Tabs label="Result: view" tabs={tabs} aside={<CopyButton text={answer.body} what="the raw body" />} />
    </>
  );
}
