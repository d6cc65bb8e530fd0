import { useMemo, useState } from "preact/hooks";
import { type DiffLine, type NumberedLine, diffLines, folded, isSameText } from "../diff";
import { visibleText } from "../names";
import { useMore } from "./useMore";
import { Button } from "./buttons";

/** Characters; longer texts are not compared line by line. */
const LIMIT = 1_000_000;
/** Characters of one line. */
const LINE_LIMIT = 2_000;
/** Rows at once. */
const ROWS = 500;

/** Two texts beside each other, the lines that differ marked; one below the other on a narrow screen. */
export function DiffView({ left, right, names, label }: {
  readonly left: string;
  readonly right: string;
  readonly names: readonly [string, string];
  readonly label: string;
}) {
  const isLong = left.length + right.length > LIMIT;
  const lines = useMemo(() => (isLong ? [] : diffLines(left, right)), [left, right, isLong]);
  if (isLong) return <p class="hint">These texts are too long to compare here.</p>;
  if (isSameText(lines)) return <p class="hint">No difference.</p>;
  const changed = lines.filter(({ kind }) => kind === "changed").length;
  return (
    <div class="diff" role="region" aria-label={label} tabIndex={0}>
      <div class="diff-row diff-names">
        <span class="diff-name">{names[0]}</span>
        <span class="diff-name">
          {names[1]}
          <span class="diff-count">{changed} {changed === 1 ? "line differs" : "lines differ"}</span>
        </span>
      </div>
      <Rows lines={lines} />
    </div>
  );
}

function Rows({ lines }: { readonly lines: readonly DiffLine[] }) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => folded(lines), [lines]);
  const { shown, more } = useMore(rows, ROWS);
  return (
    <>
      {shown.map((each, index) => {
        if (each.kind !== "fold") return <Row key={index} line={each} />;
        if (open.has(index)) return each.lines.slice(0, ROWS).map((line, at) => <Row key={`${index} ${at}`} line={line} />);
        return (
          <Button key={index} class="diff-fold" onClick={() => setOpen(new Set([...open, index]))}>
            Show {each.lines.length} equal lines
          </Button>
        );
      })}
      {more}
    </>
  );
}

function Row({ line }: { readonly line: DiffLine }) {
  return (
    <div class={`diff-row ${line.kind}`}>
      <Side side="left" line={line.left} isChanged={line.kind === "changed"} />
      <Side side="right" line={line.right} isChanged={line.kind === "changed"} />
    </div>
  );
}

function Side({ side, line, isChanged }: {
  readonly side: "left" | "right";
  readonly line: NumberedLine | null;
  readonly isChanged: boolean;
}) {
  if (line === null) return <span class={`diff-side ${side} none`} />;
  const mark = isChanged ? (side === "left" ? "−" : "+") : " ";
  const words = isChanged ? (side === "left" ? "only before: " : "only after: ") : "";
  return (
    <span class={`diff-side ${side}`}>
      <span class="diff-number" aria-hidden="true">{line.number}</span>
      <span class="diff-mark" aria-hidden="true">{mark}</span>
      {words && <span class="off-screen">{words}</span>}
      <code class="diff-text" dir="auto">{visibleText(line.text, LINE_LIMIT)}</code>
    </span>
  );
}
