import { useMemo } from "preact/hooks";
import { formatDuration } from "../duration";
import { NOT_KEPT, type Run } from "../history";
import { visibleText } from "../names";
import type { Answer } from "../net/api";
import type { ResultOutcome } from "../net/outcome";
import { type Issue, type Schema } from "../net/read";
import { logHash } from "../route";
import { lineFinder } from "../schema/locate";
import type { CallState, Done as DoneState } from "../state/useCalls";
import { Blocks, Framed } from "./Blocks";
import { CopyButton } from "./CopyButton";
import { JsonView, useTreeSwitch } from "./JsonView";
import { LongText } from "./LongText";
import { FaultList, Notice } from "./Notice";
import { Tabs } from "./Tabs";
import { TokenForm } from "./TokenForm";

interface Props {
  readonly state: CallState;
  /** The run of the history that `state` shows, `null` for one that was just made. */
  readonly past: Run | null;
  /** The tool's output schema. */
  readonly output: Schema | null;
  /** Whether the server shows a log, where the call can be found. */
  readonly hasLog: boolean;
  /** Why nothing can be sent now. */
  readonly hindrance: string | null;
  /** Whether the history lists runs of the tool. */
  readonly hasRuns: boolean;
  readonly onRetry: () => void;
  readonly onToken: (token: string) => void;
}

export function ResultCard(props: Props) {
  return (
    <section class="card" aria-label="Result">
      <h3 class="card-title">
        Result{props.past !== null && <span class="past"> of the run at {new Date(props.past.at).toLocaleTimeString("en-GB")}</span>}
      </h3>
      <p class="off-screen" role="status">{announcement(props.state)}</p>
      {props.past !== null && <PastNote run={props.past} />}
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

function Body(props: Props) {
  const { state, past, hasRuns, onRetry } = props;
  const again = { label: "Try again", run: onRetry };
  switch (state.phase) {
    case "idle":
      return <p class="hint">{hasRuns ? "The history below has earlier runs." : "Nothing was executed yet."}</p>;
    case "running":
      return <p class="hint">Waiting for the answer…</p>;
    case "cancelled":
      return (
        <Notice title={`Cancelled after ${formatDuration(state.afterMs)}`}>
          This page stopped waiting. The tool may still be running on the server.
        </Notice>
      );
    case "failed":
      return <Notice tone="bad" title="No answer" action={again}>{state.reason}</Notice>;
    case "done":
      if (past !== null && past.body === null) return <p class="hint">This answer {NOT_KEPT[past.bodyKept]}.</p>;
      // A new key per answer: tabs begin again, and a refused token must not stay in its field.
      return <Done key={state.traceId} done={state} {...props} />;
  }
}

/** Why the arguments of a past run are not in the editor. */
function PastNote({ run }: { readonly run: Run }) {
  if (run.argsKept === "whole") return null;
  return <p class="hint">Its arguments are not put into the editor: what was sent {NOT_KEPT[run.argsKept]}.</p>;
}

function Done({ done, output, hasLog, hindrance, onRetry, onToken }: Props & { readonly done: DoneState }) {
  const { outcome, answer } = done;
  const again = { label: "Try again", run: onRetry };
  switch (outcome.kind) {
    case "result":
      return <Result outcome={outcome} answer={answer} logged={hasLog ? done.traceId : null} output={output} />;
    case "unauthorized":
      return <TokenForm hadToken={done.hadToken} onToken={onToken} hindrance={hindrance} />;
    case "disabled":
      return <Notice tone="warn" title="The server refuses to execute (status 403)">{outcome.reason}</Notice>;
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
            {outcome.issues.slice(0, MAX_ISSUES).map((issue, index) => (
              <li key={index}>
                {issue.path !== "" && <code>{visibleText(issue.path)}</code>} {visibleText(issue.message)}
              </li>
            ))}
          </ul>
        </Notice>
      );
    case "refused":
      return <Notice tone="bad" title={`The call failed (status ${answer.status})`} action={again}>{outcome.reason}</Notice>;
  }
}

function Result({ outcome, answer, logged, output }: {
  readonly outcome: ResultOutcome;
  readonly answer: Answer;
  readonly logged: string | null;
  readonly output: Schema | null;
}) {
  const { structured, breaches, keepsSchema } = outcome;
  const tabs = [
    { id: "content", label: "Content", body: <Blocks blocks={outcome.blocks} /> },
    ...(structured === null
      ? []
      : [{ id: "structured", label: "Structured", body: () => <Structured text={structured} keepsSchema={keepsSchema} /> }]),
    { id: "raw", label: "Raw", body: () => <Raw text={answer.body} /> },
  ];
  return (
    <>
      <p class="outcome">
        <span class={`verdict ${outcome.isError ? "bad" : "good"}`}>{outcome.isError ? "Tool error" : "Success"}</span>
        <span>status {answer.status}</span>
        <span>{formatDuration(answer.durationMs)}</span>
        {keepsSchema && <span class="keeps">keeps its output schema</span>}
        {outcome.traceId !== null && (
          <span class="trace">
            trace <code>{outcome.traceId}</code> <CopyButton text={outcome.traceId} what="the trace id" />
          </span>
        )}
        {logged !== null && <a href={logHash(logged)}>in the log</a>}
      </p>
      {breaches.length > 0 && <Breaches breaches={breaches} output={output} />}
      <Tabs label="Result: view" tabs={tabs} />
    </>
  );
}

/** Issues at once; the raw view has them all. */
const MAX_ISSUES = 100;

/** What the tool gave for programs, and whether it is what the tool promised. */
function Structured({ text, keepsSchema }: { readonly text: string; readonly keepsSchema: boolean }) {
  const { isTree, button } = useTreeSwitch(true);
  const copy = <CopyButton text={text} what="the structured content" />;
  return (
    <Framed type={keepsSchema ? "JSON, keeps the output schema" : "JSON"} aside={<>{button}{copy}</>}>
      <JsonView text={text} label="Structured content" isTree={isTree} />
    </Framed>
  );
}

/** The body as it came. */
function Raw({ text }: { readonly text: string }) {
  return (
    <Framed type={`${text.length.toLocaleString("en")} characters`} aside={<CopyButton text={text} what="the raw body" />}>
      <LongText text={text} label="Raw body" />
    </Framed>
  );
}

/** Where the answer broke the output schema; what stood there was not let out. */
function Breaches({ breaches, output }: { readonly breaches: readonly Issue[]; readonly output: Schema | null }) {
  const findLine = useMemo(() => (output === null ? null : lineFinder(output.value, output.text)), [output]);
  return (
    <Notice tone="bad" title="The answer breaks the tool's output schema, so it was not let out">
      <FaultList
        faults={breaches.slice(0, MAX_ISSUES).map(({ path, keyword }) => ({ path, keyword, line: findLine?.(path, keyword, null) }))}
      />
    </Notice>
  );
}
