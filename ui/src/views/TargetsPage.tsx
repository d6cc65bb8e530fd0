import { memo } from "preact/compat";
import { useMemo, useRef, useState } from "preact/hooks";
import { unreachableReason, visibleName } from "../names";
import type { Api } from "../net/api";
import { type Matrix, type Sums, readMatrix, sumsOf } from "../net/judged";
import { toolHash } from "../route";
import { useLoad } from "../state/useLoad";
import { useRowFocus } from "../state/useRowFocus";
import { useVirtual } from "../state/useVirtual";
import { Findings } from "./Findings";
import { Loading } from "./Notice";
import { SearchField } from "./SearchField";
import { Spacer } from "./Spacer";
import { Choices } from "./buttons";
import { GROUPS, VerdictSign, countWords, inGroups, verdictWords } from "./verdicts";

const ROW_PX = 29;

type Target = Matrix["targets"][number];
type ToolRow = Matrix["tools"][number];
type Cell = readonly [row: number, column: number];

/** Every tool and every target: who accepts what. */
export function TargetsPage({ api }: { readonly api: Api }) {
  const state = useLoad(api.matrix, readMatrix);
  return (
    <Loading state={state} waiting="Asking every target about every tool…" failed="The targets could not be asked">
      {(matrix) => <Ready matrix={matrix} />}
    </Loading>
  );
}

function Ready({ matrix }: { readonly matrix: Matrix }) {
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
        <Choices label="Targets" all={[["all", "All"], ...GROUPS]} chosen={group} onChoose={setGroup} />
        <SearchField label="Filter the rows by name" placeholder="Filter tools" value={query} onValue={setQuery} />
        <label class="check">
          <input type="checkbox" checked={isTroubled} onChange={(event) => setTroubled(event.currentTarget.checked)} />
          Only tools with findings
        </label>
        <span role="status" class="count">{rows.length} of {matrix.tools.length} tools</span>
      </div>
      {about.length > 0 && (
        <details class="card about-list">
          <summary>About the list as a whole: {about.length} {about.length === 1 ? "finding" : "findings"}</summary>
          <Findings findings={about} withTarget />
        </details>
      )}
      <Grid columns={columns} targets={targets} rows={rows} whole={whole} />
    </div>
  );
}

function Grid({ columns, targets, rows, whole }: {
  readonly columns: ReturnType<typeof inGroups<Target>>;
  readonly targets: readonly Target[];
  readonly rows: readonly ToolRow[];
  /** Targets that refuse the list as a whole. */
  readonly whole: ReadonlySet<string>;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [cell, setCell] = useState<Cell>([0, 0]);
  const row = Math.min(cell[0], Math.max(0, rows.length - 1));
  const column = Math.min(cell[1], targets.length);
  const shown = useVirtual({ count: rows.length, scroller, sizeOf: () => ROW_PX, kept: row });
  const selectorOf = ([of, at]: Cell): string => `[data-cell="${of} ${at}"]`;
  const { focus, wanted } = useRowFocus(shown, scroller, selectorOf);
  if (wanted.current && wanted.current[0] >= rows.length) wanted.current = null;
  const onKeyDown = (event: KeyboardEvent): void => {
    const [of, at] = wanted.current ?? [row, column];
    const steps: Record<string, Cell> = {
      ArrowDown: [of + 1, at],
      ArrowUp: [of - 1, at],
      ArrowRight: [of, at + 1],
      ArrowLeft: [of, at - 1],
      Home: [of, 0],
      End: [of, targets.length],
      PageDown: [Math.min(rows.length - 1, of + 10), at],
      PageUp: [Math.max(0, of - 10), at],
    };
    const next = steps[event.key];
    if (!next) return;
    event.preventDefault();
    if (next[0] < 0 || next[0] >= rows.length || next[1] < 0 || next[1] > targets.length) return;
    setCell(next);
    focus(next[0], next);
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
        onFocusIn={({ target }) => {
          const [of, at] = (target as HTMLElement).dataset["cell"]?.split(" ").map(Number) ?? [];
          if (of === undefined || at === undefined || wanted.current !== null) return;
          setCell([of, at]);
          (target as HTMLElement).scrollIntoView({ block: "nearest", inline: "nearest" });
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
            <th scope="col" class="matrix-corner">Tool</th>
            {targets.map((each) => (
              <th key={each.name} scope="col" title={each.title}>
                <span class="matrix-target">{each.name}</span>
                <Refused target={each} isWhole={whole.has(each.name)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={before} />
          {items.map(({ index }) => {
            const tool = rows[index];
            if (!tool) return null;
            return (
              <Row key={tool.name} tool={tool} index={index} targets={targets} stop={index === row ? column : null} />
            );
          })}
          <Spacer height={after} />
        </tbody>
      </table>
    </div>
  );
}

function Refused({ target, isWhole }: { readonly target: Target; readonly isWhole: boolean }) {
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

const Row = memo(function Row({ tool, index, targets, stop }: {
  readonly tool: ToolRow;
  readonly index: number;
  readonly targets: readonly Target[];
  readonly stop: number | null;
}) {
  const isReachable = unreachableReason(tool.name) === null;
  const name = visibleName(tool.name);
  return (
    <tr aria-rowindex={index + 3}>
      <th scope="row">
        {isReachable ? (
          <a href={toolHash(tool.name, { view: "targets" })} data-cell={`${index} 0`} tabIndex={stop === 0 ? 0 : -1}>
            <bdi>{name}</bdi>
          </a>
        ) : <bdi>{name}</bdi>}
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
            ) : <span class={`cell ${sums.verdict}`} title={words}><VerdictSign verdict={sums.verdict} /></span>}
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
