import type { JSX, RefObject } from "preact";
import { memo } from "preact/compat";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { filterTools } from "../filter";
import { unreachableReason, visibleName, visibleText } from "../names";
import type { ToolSummary } from "../net/api";
import { toolHash } from "../route";
import type { LoadState } from "../state/useLoad";
import { Badges } from "./Badges";
import { Notice } from "./Notice";
import { ReloadIcon, SearchIcon } from "./icons";

interface Props {
  readonly state: LoadState<readonly ToolSummary[]> & { readonly reload: () => void };
  readonly current: string | null;
}

export function ToolList({ state, current }: Props): JSX.Element {
  const [query, setQuery] = useState("");
  const filter = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const tools = state.phase === "ready" ? state.value : [];
  const shown = useMemo(() => filterTools(tools, query), [tools, query]);
  useSlash(filter);
  useEffect(() => {
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
  }, [current, state.phase]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>("a") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    if (event.key === "ArrowDown") links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] ?? filter.current)?.focus();
    else if (event.key === "Enter" && at < 0) links[0]?.click();
    else if (event.key === "Escape") {
      setQuery("");
      filter.current?.focus();
    } else return;
    event.preventDefault();
  };
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
          <span role="status" class="count">
            {countText(state.phase, shown.length, tools.length)}
          </span>
          <button type="button" class="icon-button" aria-label="Reload the list" onClick={state.reload}>
            <ReloadIcon />
          </button>
        </div>
      </div>
      <div class="tools">
        <ListState state={state} isFilteredOut={tools.length > 0 && shown.length === 0} query={query} />
        <ul ref={list}>
          {shown.map((tool, index) => (
            <Row key={`${index} ${tool.name}`} tool={tool} isCurrent={tool.name === current} />
          ))}
        </ul>
      </div>
    </nav>
  );
}

function ListState({
  state,
  isFilteredOut,
  query,
}: Pick<Props, "state"> & { readonly isFilteredOut: boolean; readonly query: string }): JSX.Element | null {
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
    return (
      <Notice title="No tools" action={again}>
        The server answered, and its list is empty.
      </Notice>
    );
  }
  return isFilteredOut ? <p class="hint">No tool matches “{query}”.</p> : null;
}

const Row = memo(function Row({
  tool,
  isCurrent,
}: {
  readonly tool: ToolSummary;
  readonly isCurrent: boolean;
}): JSX.Element {
  const reason = unreachableReason(tool.name);
  const content = (
    <>
      <span class="tool-name">
        <bdi>{visibleName(tool.name)}</bdi>
      </span>
      {(reason ?? tool.description) !== "" && (
        <span class="tool-line" dir="auto">
          {reason ?? visibleText(firstLine(tool.description))}
        </span>
      )}
      <Badges annotations={tool.annotations ?? {}} />
    </>
  );
  return (
    <li class="tool-row">
      {reason === null ? (
        <a href={toolHash(tool.name)} aria-current={isCurrent ? "page" : undefined}>
          {content}
        </a>
      ) : (
        <div class="unreachable" role="group" aria-disabled="true">
          {content}
        </div>
      )}
    </li>
  );
});

/** "/" goes to the filter, unless somebody is typing. */
function useSlash(filter: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.composedPath()[0];
      if (target instanceof HTMLElement && target.matches("input, textarea, [contenteditable=true]")) return;
      event.preventDefault();
      filter.current?.focus();
      filter.current?.select();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [filter]);
}

function countText(phase: string, shown: number, all: number): string {
  if (phase !== "ready") return " ";
  const noun = all === 1 ? "tool" : "tools";
  return shown === all ? `${all} ${noun}` : `${shown} of ${all} ${noun}`;
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
}
