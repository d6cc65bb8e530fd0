import { useMemo, useRef, useState } from "preact/hooks";
import type { JsonNode } from "../json/parse";
import { type TreeRow, openAtStart, rowsOf } from "../json/tree";
import { visibleName, visibleText } from "../names";
import { useRowFocus } from "../state/useRowFocus";
import { useVirtual } from "../state/useVirtual";
import { ChevronIcon } from "./icons";

/** Characters of one value that are shown in the tree; the text beside it has them all. */
const VALUE_CHARS = 600;
const ROW_PX = 21;

/** A document as a tree: parts open and close, numbers stand as they were written. */
export function JsonTree({ root, text, label }: {
  readonly root: JsonNode;
  /** What `root` was read from: each value is shown in its own tokens. */
  readonly text: string;
  readonly label: string;
}) {
  const [open, setOpen] = useState(() => openAtStart(root));
  const [active, setActive] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(root, open), [root, open]);
  const at = Math.min(active, rows.length - 1);
  const shown = useVirtual({
    count: rows.length,
    scroller,
    sizeOf: () => ROW_PX,
    keyOf: (index) => rows[index]?.pointer ?? index,
    kept: at,
  });
  const { focus, wanted } = useRowFocus(shown, scroller, (index: number) => `[data-index="${index}"]`);
  const go = (index: number): void => {
    if (index < 0 || index >= rows.length) return;
    setActive(index);
    focus(index, index);
  };
  const toggle = (row: TreeRow, isOpen: boolean): void => {
    const next = new Set(open);
    if (isOpen) next.add(row.pointer);
    else next.delete(row.pointer);
    setOpen(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const here = wanted.current ?? at;
    const row = rows[here];
    if (!row) return;
    if (event.key === "ArrowDown") go(here + 1);
    else if (event.key === "ArrowUp") go(here - 1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(rows.length - 1);
    else if (event.key === "ArrowRight") {
      if (row.size > 0 && !row.isOpen) toggle(row, true);
      else if (row.isOpen) go(here + 1);
    } else if (event.key === "ArrowLeft") {
      if (row.isOpen) toggle(row, false);
      else go(rows.slice(0, here).findLastIndex(({ level }) => level < row.level));
    } else if ((event.key === "Enter" || event.key === " ") && row.size > 0) toggle(row, !row.isOpen);
    else return;
    event.preventDefault();
  };
  return (
    <div class="tree-box" ref={scroller}>
      <div
        class="tree"
        role="tree"
        aria-label={label}
        style={{ height: `${shown.getTotalSize()}px` }}
        onKeyDown={onKeyDown}
      >
        {shown.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (!row) return null;
          const twist = (): void => {
            setActive(index);
            if (row.size > 0) toggle(row, !row.isOpen);
          };
          return (
            <div
              key={key}
              ref={(element) => shown.measureElement(element)}
              data-index={index}
              role="treeitem"
              aria-level={row.level}
              aria-expanded={row.size > 0 ? row.isOpen : undefined}
              aria-selected={index === at}
              tabIndex={index === at ? 0 : -1}
              class="tree-row"
              style={{ transform: `translateY(${start}px)`, paddingInlineStart: `${(row.level - 1) * 16 + 8}px` }}
              onClick={twist}
              onFocus={() => wanted.current === null && setActive(index)}
            >
              <RowText row={row} text={text} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function RowText({ row, text }: { readonly row: TreeRow; readonly text: string }) {
  return (
    <>
      <span class="tree-twist">{row.size > 0 && <ChevronIcon />}</span>
      {row.label !== null && (
        <>
          <bdi class={row.isIndex ? "tree-index" : "tree-key"}>{row.isIndex ? row.label : visibleName(row.label)}</bdi>
          <span class="tree-colon">: </span>
        </>
      )}
      <Value row={row} text={text} />
    </>
  );
}

function Value({ row, text }: { readonly row: TreeRow; readonly text: string }) {
  const { node, size } = row;
  if (node.kind === "object" || node.kind === "array") {
    const [open, close, noun] = node.kind === "object" ? ["{", "}", "member"] : ["[", "]", "item"];
    return (
      <span class="tree-size">
        {open}
        {size > 0 ? ` ${size.toLocaleString("en")} ${noun}${size === 1 ? "" : "s"} ` : ""}
        {close}
      </span>
    );
  }
  const token = text.slice(node.from, Math.min(node.to, node.from + VALUE_CHARS));
  const rest = node.to - node.from - token.length;
  return (
    <bdi class={`tree-${node.kind}`}>
      {visibleText(token)}
      {rest > 0 && <span class="tree-more"> … {rest.toLocaleString("en")} more characters</span>}
    </bdi>
  );
}
