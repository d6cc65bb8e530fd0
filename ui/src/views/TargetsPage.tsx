import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { unreachableReason, visibleName } from "../names";
import type { Api } from "../net/api";
import { type Matrix, type Sums, readMatrix, sumsOf } from "../net/judged";
import { toolHash } from "../route";
import { useLoad } from "../state/useLoad";
import { useVirtual } from "../state/useVirtual";
import { Findings } from "./Findings";
import { Notice } from "./Notice";
import { GROUPS, VerdictSign, countWords, inGroups, verdictWords } from "./verdicts";

const ROW_PX = 29;

type Target = Matrix["targets"][number];
type ToolRow = Matrix["tools"][number];

/** Every tool and every target: who accepts what. */
export function TargetsPage({ api }: { readonly api: Api }): JSX.Element {
  const state = useLoad(api.matrix, readMatrix);
  if (state.phase === "loading") return <p class="hint">Asking every target about every tool…</p>;
  if (state.phase === "failed") {
    return (
      <Notice tone="bad" title="The targets could not be asked" action={{ label: "Try again", run: state.reload }}>
        {state.problem}
      </Notice>
    );
  }
  return <Ready matrix={state.value} />;
}

function Ready({ matrix }: { readonly matrix: Matrix }): JSX.Element {
  const [group, setGroup] = useState<string>("all");
  const [isTroubled, setTroubled] = useState(false);
  const [query, setQuery] = useState("");
  const columns = useMemo(
    () => inGroups(matrix.targets.filter(({ groups }) => group === "all" || groups.includes(group))),
    [matrix, group],
  );
  const targets = useMemo(() => columns.flatMap((each) => each.targets), [columns]);
  const rows = useMemo(() => {
    const wanted = query.trim().toLowerCase();
    return matrix.tools.filter(
      ({ name, sums }) =>
        name.toLowerCase().includes(wanted) &&
        (!isTroubled || targets.some((each) => sumsOf(sums, each.name).verdict !== "accepted")),
    );
  }, [matrix, targets, isTroubled, query]);
  const about = matrix.findings.filter((each) => targets.some(({ name }) => name === each.target));
  const whole = useMemo(
    () => new Set(matrix.findings.flatMap(({ severity, target }) => (severity === "error" ? [target] : []))),
    [matrix],
  );
  const isFine = (each: Target): boolean => each.refused === 0;
  return (
    <div class="matrix-page">
      <div class="page-head">
        <h2 tabIndex={-1}>Targets</h2>
        <p class="hint-inline">
          {targets.filter(isFine).length} of {targets.length} targets accept all {matrix.tools.length} tools.
        </p>
      </div>
      <div class="page-tools">
        <div class="tool-group" role="group" aria-label="Targets">
          {[["all", "All"] as const, ...GROUPS].map(([id, label]) => (
            <button type="button" key={id} class="small-button" aria-pressed={id === group} onClick={() => setGroup(id)}>
              {label}
            </button>
          ))}
        </div>
        <label class="inline-field">
          <span class="off-screen">Filter the rows by name</span>
          <input
            type="search"
            placeholder="Filter tools"
            spellcheck={false}
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={isTroubled} onChange={(event) => setTroubled(event.currentTarget.checked)} />
          Only tools with findings
        </label>
        <span role="status" class="count">
          {rows.length} of {matrix.tools.length} tools
        </span>
      </div>
      {about.length > 0 && (
        <details class="card about-list">
          <summary>
            About the list as a whole: {about.length} {about.length === 1 ? "finding" : "findings"}
          </summary>
          <Findings findings={about} withTarget />
        </details>
      )}
      <Grid columns={columns} targets={targets} rows={rows} whole={whole} />
    </div>
  );
}

function Grid({
  columns,
  targets,
  rows,
  whole,
}: {
  readonly columns: ReturnType<typeof inGroups<Target>>;
  readonly targets: readonly Target[];
  readonly rows: readonly ToolRow[];
  /** Targets that refuse the list as a whole. */
  readonly whole: ReadonlySet<string>;
}): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const [cell, setCell] = useState({ row: 0, column: 0 });
  const row = Math.min(cell.row, Math.max(0, rows.length - 1));
  const column = Math.min(cell.column, targets.length);
  const shown = useVirtual({ count: rows.length, scroller, sizeOf: () => ROW_PX, kept: row });
  const isWanted = useRef(false);
  // Keys may come faster than rows are drawn, so where the next one starts is no state.
  const at = useRef({ row, column });
  if (!isWanted.current) at.current = { row, column };
  useLayoutEffect(() => {
    if (at.current.row >= rows.length) isWanted.current = false;
    if (!isWanted.current) return;
    const place = `${at.current.row} ${at.current.column}`;
    const found = scroller.current?.querySelector<HTMLElement>(`[data-cell="${place}"]`);
    if (!found) return;
    isWanted.current = false;
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  const go = (nextRow: number, nextColumn: number): void => {
    if (nextRow < 0 || nextRow >= rows.length || nextColumn < 0 || nextColumn > targets.length) return;
    isWanted.current = true;
    at.current = { row: nextRow, column: nextColumn };
    setCell(at.current);
    shown.scrollToIndex(nextRow, { align: "auto" });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { row, column } = at.current;
    const steps: Record<string, readonly [number, number]> = {
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      ArrowRight: [row, column + 1],
      ArrowLeft: [row, column - 1],
      Home: [row, 0],
      End: [row, targets.length],
      PageDown: [Math.min(rows.length - 1, row + 10), column],
      PageUp: [Math.max(0, row - 10), column],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    go(...step);
  };
  const items = shown.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = shown.getTotalSize() - (items.at(-1)?.end ?? 0);
  if (rows.length === 0) return <p class="hint">No tool matches.</p>;
  return (
    <div class="matrix-box card" ref={scroller}>
      <table
        class="matrix"
        role="grid"
        aria-label="Tools and targets"
        aria-rowcount={rows.length + 2}
        aria-colcount={targets.length + 1}
        onKeyDown={onKeyDown}
        onFocusIn={(event) => {
          const [at, of] = (event.target as HTMLElement).dataset["cell"]?.split(" ").map(Number) ?? [];
          if (at !== undefined && of !== undefined && !isWanted.current) setCell({ row: at, column: of });
        }}
      >
        <thead>
          <tr class="matrix-groups">
            <td />
            {columns.map((each) => (
              <th key={each.label} scope="colgroup" colSpan={each.targets.length}>
                {each.targets.length > 1 && each.label}
                {each.targets.length === 1 && <span class="off-screen">{each.label}</span>}
              </th>
            ))}
          </tr>
          <tr>
            <th scope="col" class="matrix-corner">
              Tool
            </th>
            {targets.map((each) => (
              <th key={each.name} scope="col" title={each.title}>
                <span class="matrix-target">{each.name}</span>
                <Refused target={each} isWhole={whole.has(each.name)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Spacer height={before} />}
          {items.map(({ index }) => {
            const tool = rows[index];
            if (!tool) return null;
            return (
              <Row
                key={tool.name}
                tool={tool}
                index={index}
                targets={targets}
                stop={index === row ? column : null}
              />
            );
          })}
          {after > 0 && <Spacer height={after} />}
        </tbody>
      </table>
    </div>
  );
}

function Refused({ target, isWhole }: { readonly target: Target; readonly isWhole: boolean }): JSX.Element {
  const { refused } = target;
  return (
    <span
      class={`matrix-refused ${refused > 0 ? "bad" : ""}`}
      title={isWhole ? "Refuses the list as a whole" : `${refused} refused`}
    >
      {refused === 0 ? "·" : isWhole ? "list" : refused}
      <span class="off-screen">{isWhole ? " is refused as a whole" : " refused"}</span>
    </span>
  );
}

function Spacer({ height }: { readonly height: number }): JSX.Element {
  return (
    <tr aria-hidden="true" style={{ height: `${height}px` }}>
      <td />
    </tr>
  );
}

const Row = memo(function Row({
  tool,
  index,
  targets,
  stop,
}: {
  readonly tool: ToolRow;
  readonly index: number;
  readonly targets: readonly Target[];
  readonly stop: number | null;
}): JSX.Element {
  const isReachable = unreachableReason(tool.name) === null;
  const name = visibleName(tool.name);
  return (
    <tr aria-rowindex={index + 3}>
      <th scope="row">
        {isReachable ? (
          <a href={toolHash(tool.name, { view: "targets" })} data-cell={`${index} 0`} tabIndex={stop === 0 ? 0 : -1}>
            <bdi>{name}</bdi>
          </a>
        ) : (
          <bdi>{name}</bdi>
        )}
      </th>
      {targets.map((each, at) => {
        const sums = sumsOf(tool.sums, each.name);
        const words = cellWords(each, name, sums);
        return (
          <td key={each.name}>
            {isReachable ? (
              <a
                href={toolHash(tool.name, { view: "targets", target: each.name })}
                data-cell={`${index} ${at + 1}`}
                tabIndex={stop === at + 1 ? 0 : -1}
                class={`cell ${sums.verdict}`}
                aria-label={words}
                title={words}
              >
                {sums.verdict === "accepted" ? <span aria-hidden="true">·</span> : <VerdictSign verdict={sums.verdict} />}
              </a>
            ) : (
              <span class={`cell ${sums.verdict}`} title={words}>
                <VerdictSign verdict={sums.verdict} />
              </span>
            )}
          </td>
        );
      })}
    </tr>
  );
});

function cellWords(target: Target, tool: string, sums: Sums): string {
  const counts = countWords(sums);
  return `${target.title}, ${tool}: ${verdictWords(sums.verdict)}${counts && `, ${counts}`}`;
}
