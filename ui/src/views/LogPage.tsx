import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatDuration } from "../duration";
import type { Run } from "../history";
import { unreachableReason, visibleName, visibleText } from "../names";
import type { Api } from "../net/api";
import { type LogLine, filterLines } from "../net/log";
import { logHash, toolHash } from "../route";
import { useLog } from "../state/useLog";
import { useVirtual } from "../state/useVirtual";
import type { TokenBox } from "./Composer";
import { Notice } from "./Notice";
import { SearchField } from "./SearchField";
import { Spacer } from "./Spacer";
import { TokenForm } from "./TokenForm";
import { Button } from "./buttons";

const ROW_PX = 30;

/** The contract log as it is written: what became of each request, newest first. */
export function LogPage({ api, tokenBox, runs, trace }: {
  readonly api: Api;
  readonly tokenBox: TokenBox;
  readonly runs: readonly Run[];
  readonly trace: string | null;
}) {
  const [isPaused, setPaused] = useState(false);
  const [tool, setTool] = useState("");
  const [code, setCode] = useState("");
  const { found, problem, isUnauthorized, hadToken } = useLog(api, tokenBox.token, isPaused);
  const lines = found?.lines ?? [];
  const codes = useMemo(() => [...new Set(lines.flatMap((each) => each.code ?? []))].sort(), [lines]);
  const shown = useMemo(() => filterLines(lines, { tool, code, trace }).toReversed(), [lines, tool, code, trace]);
  if (isUnauthorized) {
    return <TokenForm key={tokenBox.token} hadToken={hadToken} onToken={tokenBox.set} use="show the log" />;
  }
  return (
    <div class="log-page">
      <div class="page-head">
        <h2 tabIndex={-1}>Log</h2>
        <p class="hint-inline">What became of each request. Arguments and results are not in it.</p>
      </div>
      <div class="page-tools">
        <SearchField label="Filter the lines by tool" placeholder="Filter by tool" value={tool} onValue={setTool} />
        <label class="inline-field">
          <span class="off-screen">Filter the lines by code</span>
          <select value={code} onChange={(event) => setCode(event.currentTarget.value)}>
            <option value="">All codes</option>
            <option value="failed">Failed</option>
            {codes.map((each) => <option key={each} value={each}>{each}</option>)}
          </select>
        </label>
        {trace !== null && <span class="chip">trace {trace.slice(0, 8)}… <a href={logHash()}>show all</a></span>}
        <Button aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>Pause</Button>
        <span role="status" class="count">
          {shown.length} of {lines.length} {lines.length === 1 ? "line" : "lines"}
        </span>
      </div>
      {problem !== null && <Notice tone="bad" title="The log cannot be followed">{problem}</Notice>}
      <Lines lines={shown} runs={runs} isEmpty={found !== null && lines.length === 0} />
    </div>
  );
}

function Lines({ lines, runs, isEmpty }: {
  readonly lines: readonly LogLine[];
  readonly runs: readonly Run[];
  readonly isEmpty: boolean;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const shown = useVirtual({
    count: lines.length,
    scroller,
    sizeOf: () => ROW_PX,
    keyOf: (index) => lines[index]?.number ?? index,
    kept: focused === null ? null : lines.findIndex(({ number }) => number === focused),
  });
  useStandingLines(scroller, lines);
  const known = useMemo(() => new Map(runs.map((run) => [run.traceId, run])), [runs]);
  const items = shown.getVirtualItems();
  const after = shown.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div class="log-box card" ref={scroller} tabIndex={0} role="region" aria-label="Lines of the log">
      <table class="log" aria-rowcount={lines.length + 1}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Tool</th>
            <th scope="col">Outcome</th>
            <th scope="col">Where it was wrong</th>
            <th scope="col">Route</th>
            <th scope="col" class="number">Took</th>
            <th scope="col"><span class="off-screen">Open</span></th>
          </tr>
        </thead>
        <tbody onFocusIn={({ target }) => setFocused(numberOf(target))} onFocusOut={() => setFocused(null)}>
          {items.flatMap(({ index, start }, at) => {
            const line = lines[index];
            const gap = start - (items[at - 1]?.end ?? 0);
            return line
              ? [
                  <Spacer key={`before ${line.number}`} height={gap} />,
                  <Line key={line.number} line={line} run={known.get(line.traceId)} index={index} />,
                ]
              : [];
          })}
          <Spacer key="after" height={after} />
        </tbody>
      </table>
      {lines.length === 0 && (
        <p class="hint">{isEmpty ? "Nothing was logged yet. Calls from this page are logged as well." : "No line matches."}</p>
      )}
    </div>
  );
}

/** New lines come above; who is reading further down goes on reading the same ones. */
function useStandingLines(scroller: RefObject<HTMLElement | null>, lines: readonly LogLine[]): void {
  const before = useRef(lines);
  useLayoutEffect(() => {
    const box = scroller.current;
    const known = before.current;
    before.current = lines;
    if (!box || box.scrollTop === 0) return;
    const first = known[Math.floor(box.scrollTop / ROW_PX)];
    const now = lines.findIndex(({ number }) => number === first?.number);
    if (first && now >= 0) box.scrollTop += (now - known.indexOf(first)) * ROW_PX;
  }, [lines]);
}

function numberOf(target: EventTarget | null): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("tr") : null;
  return row?.dataset["number"] === undefined ? null : Number(row.dataset["number"]);
}

function Line({ line, run, index }: {
  readonly line: LogLine;
  readonly run: Run | undefined;
  readonly index: number;
}) {
  const { tool, errors } = line;
  const [first] = errors;
  const tone = line.status < 400 ? "good" : line.status === 499 ? "off" : "bad";
  return (
    <tr aria-rowindex={index + 2} data-number={line.number}>
      <td class="log-time"><time dateTime={line.ts} title={line.ts}>{timeOf(line.ts)}</time></td>
      <td class="log-tool">
        <bdi title={tool === null ? undefined : visibleName(tool)}>{tool === null ? <span class="none">{line.method ?? "–"}</span> : visibleName(tool)}</bdi>
      </td>
      <td><span class={`log-code ${tone}`}>{line.code ?? (line.status === 499 ? "cancelled" : "ok")}</span></td>
      <td class="log-path">
        {first && (
          <>
            <code title={visibleText(first.path)}>{visibleText(first.path) || "/"}</code>{" "}
            {first.keyword && <span class="keyword">{first.keyword}</span>}
            {errors.length > 1 && <span class="none"> +{errors.length - 1}</span>}
          </>
        )}
      </td>
      <td class="log-route">{line.route}</td>
      <td class="number">{formatDuration(line.durationMs)}</td>
      <td class="log-open">
        {tool !== null && unreachableReason(tool) === null && (
          <a href={toolHash(tool, run ? { run: run.id } : { faults: errors })}>
            {run ? "Same call" : "Tool"}
            <span class="off-screen">
              {run ? " of " : " "}
              {visibleName(tool)}
            </span>
          </a>
        )}
      </td>
    </tr>
  );
}

function timeOf(ts: string): string {
  const moment = new Date(ts);
  return Number.isNaN(moment.getTime()) ? ts : moment.toLocaleTimeString("en-GB");
}
