import { memo } from "preact/compat";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type ListItem, filterTools, groupTools, listItems } from "../groups";
import { unreachableReason, visibleName, visibleText } from "../names";
import type { ToolSummary } from "../net/api";
import { toolHash } from "../route";
import type { LoadState } from "../state/useLoad";
import { useRowFocus } from "../state/useRowFocus";
import { useSlash } from "../state/useSlash";
import { useVirtual } from "../state/useVirtual";
import { Badges, hasBadges } from "./Badges";
import { Notice } from "./Notice";
import { Button } from "./buttons";
import { ChevronIcon, ReloadIcon, SearchIcon } from "./icons";

interface Props {
  readonly state: LoadState<readonly ToolSummary[]> & { readonly reload: () => void };
  readonly current: string | null;
  readonly finder: Finder;
  readonly onFinder: (finder: Finder) => void;
}

/** What the reader made of the list; it outlives a look at a page without the list. */
export interface Finder {
  readonly query: string;
  /** The groups that are closed. */
  readonly closed: ReadonlySet<string | null>;
}

/** Pixels; what is really there is measured. */
const HEAD_PX = 30;
const NAME_PX = 31;
const LINE_PX = 19;
const BADGES_PX = 19;

export function ToolList({ state, current, finder, onFinder }: Props) {
  const { query, closed } = finder;
  const setQuery = (next: string): void => onFinder({ ...finder, query: next });
  const setClosed = (next: ReadonlySet<string | null>): void => onFinder({ ...finder, closed: next });
  const filter = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const tools = state.phase === "ready" ? state.value : [];
  const shown = useMemo(() => filterTools(tools, query), [tools, query]);
  // Groups are those of all tools, so that filtering does not tear them apart.
  const groups = useMemo(() => groupTools(tools), [tools]);
  const isFiltered = shown.length !== tools.length;
  const items = useMemo(() => {
    const kept = new Set(shown);
    const narrowed = groups.flatMap(({ segment, tools: members }) => {
      const left = members.filter((each) => kept.has(each));
      return left.length > 0 ? [{ segment, tools: left }] : [];
    });
    return listItems(narrowed, isFiltered ? new Set() : closed);
  }, [groups, shown, closed, isFiltered]);
  const currentAt = useMemo(
    () => items.findIndex((item) => item.kind === "tool" && item.tool.name === current),
    [items, current],
  );
  const [active, setActive] = useState<number | null>(null);
  // One stop for the Tab key, wherever it was left; arrows do the rest.
  const stop = active !== null && active < items.length ? active : Math.max(currentAt, firstStop(items));
  const rows = useVirtual({
    count: items.length,
    scroller,
    sizeOf: (index) => sizeOf(items[index]),
    keyOf: (index) => keyOf(items[index], index),
    kept: stop,
  });
  const { focus, wanted } = useRowFocus(rows, scroller, (at: number) => `[data-index="${at}"] > :is(a, button)`);
  const focusRow = (at: number): void => focus(at, at);
  useSlash(filter);
  useEffect(() => {
    if (currentAt >= 0) rows.scrollToIndex(currentAt, { align: "auto" });
  }, [current, state.phase]);
  useEffect(() => setActive(null), [query, current]);
  const toggle = (segment: string | null, isOpen: boolean): void => {
    const next = new Set(closed);
    if (isOpen) next.delete(segment);
    else next.add(segment);
    setClosed(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys may come faster than rows are drawn.
    const at = wanted.current ?? rowOf(document.activeElement);
    const item = at === null ? undefined : items[at];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const next = step > 0 || at !== null ? nextStop(items, at ?? -1, step) : null;
      if (next !== null) focusRow(next);
      else if (step < 0 && at !== null) filter.current?.focus();
    } else if ((event.key === "Home" || event.key === "End") && at !== null) {
      const next = event.key === "Home" ? nextStop(items, -1, 1) : nextStop(items, items.length, -1);
      if (next !== null) focusRow(next);
    } else if (event.key === "ArrowLeft" && item && !isFiltered) {
      const head = items.findIndex((each) => each.kind === "group" && each.segment === item.segment);
      if (head < 0) return;
      if (item.kind === "group") toggle(item.segment, false);
      focusRow(head);
    } else if (event.key === "ArrowRight" && item?.kind === "group" && !isFiltered) toggle(item.segment, true);
    else if (event.key === "Enter" && at === null && event.target === filter.current) {
      const first = items.find((each) => each.kind === "tool" && unreachableReason(each.tool.name) === null);
      if (first?.kind === "tool") location.hash = toolHash(first.tool.name);
    } else if (event.key === "Escape") {
      setQuery("");
      filter.current?.focus();
    } else return;
    event.preventDefault();
  };
  const hasHeads = items.some(({ kind }) => kind === "group");
  const allClosed = hasHeads && groups.every(({ segment }) => closed.has(segment));
  return (
    <nav class="sidebar" aria-label="Tools" onKeyDown={onKeyDown}>
      <div class="finder">
        <label class="search">
          <SearchIcon />
          <span class="off-screen">Filter tools by name and description</span>
          <input
            ref={filter}
            type="search"
            placeholder="Filter tools"
            autocomplete="off"
            spellcheck={false}
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
          <kbd aria-hidden="true">/</kbd>
        </label>
        <div class="finder-foot">
          <span role="status" class="count">{countText(state.phase, shown.length, tools.length)}</span>
          {hasHeads && !isFiltered && (
            <Button
              class="link-button quiet"
              onClick={() => setClosed(allClosed ? new Set() : new Set(groups.map(({ segment }) => segment)))}
            >
              {allClosed ? "Expand all" : "Collapse all"}
            </Button>
          )}
          <Button class="icon-button" aria-label="Reload the list" onClick={state.reload}><ReloadIcon /></Button>
        </div>
      </div>
      <div class="tools" ref={scroller}>
        <ListState state={state} isFilteredOut={tools.length > 0 && shown.length === 0} query={query} />
        <ul
          class={hasHeads ? "grouped" : ""}
          style={{ height: `${rows.getTotalSize()}px` }}
          onFocusIn={(event) => {
            const at = rowOf(event.target);
            if (at !== null && at !== wanted.current) setActive(at);
          }}
        >
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const item = items[index];
            if (!item) return null;
            return (
              <li
                key={key}
                ref={(element) => rows.measureElement(element)}
                data-index={index}
                class={item.kind === "group" ? "group-row" : "tool-row"}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={items.length}
                aria-posinset={index + 1}
              >
                {item.kind === "group" ? (
                  <GroupHead
                    item={item}
                    isFixed={isFiltered}
                    isStop={index === stop}
                    onToggle={() => toggle(item.segment, !item.isOpen)}
                  />
                ) : (
                  <Row tool={item.tool} segment={item.segment} isCurrent={index === currentAt} isStop={index === stop} />
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </nav>
  );
}

function ListState({
  state,
  isFilteredOut,
  query,
}: Pick<Props, "state"> & { readonly isFilteredOut: boolean; readonly query: string }) {
  const again = { label: "Try again", run: state.reload };
  if (state.phase === "loading") return <p class="hint">Loading the tools…</p>;
  if (state.phase === "failed") {
    return (
      <Notice tone="bad" title="The tools could not be listed" action={again}>
        {state.status === 500
          ? "The server's tools provider failed (status 500). The server's log has the details."
          : state.problem}
      </Notice>
    );
  }
  if (state.value.length === 0) {
    return <Notice title="No tools" action={again}>The server answered, and its list is empty.</Notice>;
  }
  return isFilteredOut ? <p class="hint">No tool matches “{query}”.</p> : null;
}

function GroupHead({ item, isFixed, isStop, onToggle }: {
  readonly item: Extract<ListItem, { kind: "group" }>;
  readonly isFixed: boolean;
  readonly isStop: boolean;
  readonly onToggle: () => void;
}) {
  return (
    <Button
      class="group-head"
      aria-expanded={item.isOpen}
      aria-disabled={isFixed}
      tabIndex={isStop ? 0 : -1}
      onClick={isFixed ? undefined : onToggle}
    >
      <ChevronIcon />
      <bdi class={item.segment === null ? "group-rest" : "group-name"}>
        {item.segment === null ? "Others" : visibleName(item.segment)}
      </bdi>
      <span class="group-count">
        {item.count}
        <span class="off-screen"> {item.count === 1 ? "tool" : "tools"}</span>
      </span>
    </Button>
  );
}

const Row = memo(function Row({ tool, segment, isCurrent, isStop }: {
  readonly tool: ToolSummary;
  readonly segment: string | null;
  readonly isCurrent: boolean;
  readonly isStop: boolean;
}) {
  const reason = unreachableReason(tool.name);
  const content = (
    <>
      <span class="tool-name">
        <bdi>{segment === null ? visibleName(tool.name) : <Dimmed name={tool.name} segment={segment} />}</bdi>
      </span>
      {(reason ?? tool.description) !== "" && (
        <span class="tool-line" dir="auto">{reason ?? visibleText(firstLine(tool.description))}</span>
      )}
      <Badges annotations={tool.annotations ?? {}} />
    </>
  );
  return reason === null ? (
    <a href={toolHash(tool.name)} aria-current={isCurrent ? "page" : undefined} tabIndex={isStop ? 0 : -1}>
      {content}
    </a>
  ) : <div class="unreachable" role="group" aria-disabled="true">{content}</div>;
});

/** In a group the eye looks for what differs. */
function Dimmed({ name, segment }: { readonly name: string; readonly segment: string }) {
  const rest = name.slice(segment.length);
  return (
    <>
      <span class="tool-segment">{visibleName(segment)}</span>
      {visibleName(rest)}
    </>
  );
}

function rowOf(element: unknown): number | null {
  const row = element instanceof Element ? element.closest<HTMLElement>("li[data-index]") : null;
  return row ? Number(row.dataset["index"]) : null;
}

function isStopAt(item: ListItem | undefined): boolean {
  return item !== undefined && (item.kind === "group" || unreachableReason(item.tool.name) === null);
}

function firstStop(items: readonly ListItem[]): number {
  return nextStop(items, -1, 1) ?? 0;
}

function nextStop(items: readonly ListItem[], from: number, step: number): number | null {
  for (let at = from + step; at >= 0 && at < items.length; at += step) if (isStopAt(items[at])) return at;
  return null;
}

function sizeOf(item: ListItem | undefined): number {
  if (!item || item.kind === "group") return HEAD_PX;
  const { tool } = item;
  return NAME_PX + (tool.description.trim() ? LINE_PX : 0) + (hasBadges(tool.annotations ?? {}) ? BADGES_PX : 0);
}

function keyOf(item: ListItem | undefined, index: number): string | number {
  if (!item) return index;
  // Two tools may have one name, so the place belongs to the key.
  return item.kind === "group" ? `g${item.segment ?? ""}` : `${index} ${item.tool.name}`;
}

function countText(phase: string, shown: number, all: number): string {
  if (phase !== "ready") return " ";
  const noun = all === 1 ? "tool" : "tools";
  return shown === all ? `${all} ${noun}` : `${shown} of ${all} ${noun}`;
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
}
