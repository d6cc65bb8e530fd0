import { useState } from "preact/hooks";
import { formatDuration } from "../duration";
import { NOT_KEPT, type Run } from "../history";
import { prettyJson } from "../json/print";
import { visibleText } from "../names";
import { DiffView } from "./DiffView";
import { Tabs } from "./Tabs";
import { Button } from "./buttons";

const VERDICTS = { good: "Success", error: "Tool error", refused: "Refused" } as const;
const ARGS_CHARS = 120;

/** What was run before: look at it again, take its arguments, compare two. */
export function HistoryCard({ runs, shownId, onShow, onClear }: {
  readonly runs: readonly Run[];
  readonly shownId: string | null;
  /** Put a run's arguments and answer back in their places. */
  readonly onShow: (run: Run) => void;
  readonly onClear: () => void;
}) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  if (runs.length === 0) return null;
  // The older one of the two stands on the left.
  const pair = runs.filter(({ id }) => chosen.includes(id)).toReversed();
  const choose = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen.slice(-1), id]);
  const [older, newer] = pair;
  return (
    <section class="card" aria-label="History">
      <div class="card-head">
        <h3 class="card-title">History</h3>
        <span class="hint-inline">Kept in this browser only. Choose two to compare them.</span>
        <Button onClick={onClear}>Clear</Button>
      </div>
      <ul class="runs">
        {runs.map((run) => (
          <li key={run.id} class={run.id === shownId ? "run shown" : "run"}>
            <input
              type="checkbox"
              checked={chosen.includes(run.id)}
              aria-label={`Compare the run of ${timeOf(run.at)}`}
              onChange={() => choose(run.id)}
            />
            <Button class="run-open" aria-current={run.id === shownId} onClick={() => onShow(run)}>
              <time dateTime={new Date(run.at).toISOString()}>{timeOf(run.at)}</time>
              <span class={`run-verdict ${run.verdict}`}>
                {VERDICTS[run.verdict]}
                {run.verdict === "refused" && ` (${run.status})`}
              </span>
              <span class="run-time">{formatDuration(run.durationMs)}</span>
              <code class="run-args">
                {run.args === null ? `(${NOT_KEPT[run.argsKept]})` : visibleText(oneLine(run.args))}
              </code>
            </Button>
          </li>
        ))}
      </ul>
      {older && newer && <Compare older={older} newer={newer} />}
    </section>
  );
}

function Compare({ older, newer }: { readonly older: Run; readonly newer: Run }) {
  const names = [timeOf(older.at), timeOf(newer.at)] as const;
  const pane = (before: string | null, after: string | null, what: string) =>
    before === null || after === null ? <p class="hint">One of the two is not kept.</p> : (
      <DiffView left={prettyJson(before)} right={prettyJson(after)} names={names} label={`${what} compared`} />
    );
  return (
    <div class="compare">
      <Tabs
        label="Compare two runs"
        tabs={[
          { id: "arguments", label: "Arguments", body: pane(older.args, newer.args, "Arguments") },
          { id: "results", label: "Results", body: pane(older.body, newer.body, "Results") },
        ]}
      />
    </div>
  );
}

function timeOf(at: number): string {
  const moment = new Date(at);
  const isToday = moment.toDateString() === new Date().toDateString();
  const time = moment.toLocaleTimeString("en-GB");
  return isToday ? time : `${moment.toISOString().slice(0, 10)} ${time}`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > ARGS_CHARS ? `${line.slice(0, ARGS_CHARS)}…` : line;
}
