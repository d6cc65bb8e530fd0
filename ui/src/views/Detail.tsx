import type { JSX } from "preact";
import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import type { Config } from "../config";
import type { Drafts } from "../drafts";
import { lineText } from "../editor/diagnostics";
import { unreachableReason, visibleName, visibleText } from "../names";
import type { Api } from "../net/api";
import { type ToolDetail, readDetail } from "../net/read";
import { type Fault, type ToolPlace, inArguments, toolHash } from "../route";
import { lineFinder } from "../schema/locate";
import type { Calls } from "../state/useCalls";
import type { History } from "../state/useHistory";
import { useLoad } from "../state/useLoad";
import { Badges } from "./Badges";
import { Composer, type TokenBox } from "./Composer";
import { CopyButton } from "./CopyButton";
import { FoldedText } from "./LongText";
import { Notice } from "./Notice";
import { SchemaCard } from "./SchemaCard";
import { ToolTargets } from "./ToolTargets";

interface Props {
  readonly api: Api;
  readonly place: ToolPlace;
  readonly config: Config;
  readonly tokenBox: TokenBox;
  readonly drafts: Drafts;
  readonly shownRuns: Map<string, string>;
  readonly history: History;
  readonly calls: Calls;
  /** Another one where the tool is to be asked for again. */
  readonly round: number;
}

export function Detail({ api, place, round, ...rest }: Props): JSX.Element {
  const { name, view } = place;
  const ask = useCallback((signal: AbortSignal) => api.detail(name, signal), [api, name]);
  const state = useLoad(ask, readDetail, round);
  const reason = unreachableReason(name);
  if (reason !== null) return <Notice title="This tool cannot be opened">{reason}</Notice>;
  if (state.phase === "loading") return <p class="hint">Loading {visibleName(name)}…</p>;
  if (state.phase === "failed") {
    const isMissing = state.status === 404;
    return (
      <Notice
        tone={isMissing ? "warn" : "bad"}
        title={isMissing ? "There is no such tool" : "The tool could not be loaded"}
        action={{ label: "Try again", run: state.reload }}
      >
        {state.problem}
      </Notice>
    );
  }
  return (
    <>
      <Heading tool={state.value} />
      <nav class="views" aria-label="Views of this tool">
        <a href={toolHash(name)} aria-current={view === "try" ? "true" : undefined}>
          Try it
        </a>
        <a href={toolHash(name, { view: "targets" })} aria-current={view === "targets" ? "true" : undefined}>
          Targets
        </a>
      </nav>
      {view === "targets" && <ToolTargets key={round} api={api} tool={state.value} target={place.target} />}
      {/* Kept, so that what was typed and what came back are still there. */}
      <div class="column" hidden={view !== "try"}>
        <Faults faults={place.faults} tool={state.value} />
        {/* Another schema is another form. */}
        <Composer key={state.value.input.text} api={api} tool={state.value} place={place} {...rest} />
        <div class="columns">
          <SchemaCard title="Input schema" schema={state.value.input} />
          {state.value.output && <SchemaCard title="Output schema" schema={state.value.output} />}
        </div>
      </div>
    </>
  );
}

/** What a line of the log said of a call whose arguments nobody has any more. */
function Faults({ faults, tool }: { readonly faults: readonly Fault[]; readonly tool: ToolDetail }): JSX.Element | null {
  const findLine = useMemo(() => lineFinder(tool.input.value, tool.input.text), [tool]);
  if (faults.length === 0) return null;
  return (
    <Notice tone="warn" title="What the log says of a call of this tool">
      <ul class="faults">
        {faults.map(({ path, keyword }, index) => {
          const own = inArguments(path);
          const line = own === null ? null : findLine(own, keyword, null);
          return (
            <li key={index}>
              <code>{visibleText(own ?? path) || "/"}</code> {keyword && <span class="keyword">{keyword}</span>}
              {line && <span class="schema-line">{lineText(line)}</span>}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

function Heading({ tool }: { readonly tool: ToolDetail }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  // On a narrow screen the list, and with it the focus, is gone now.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <div class="heading">
      <div class="heading-line">
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{visibleName(tool.name)}</bdi>
        </h2>
        <CopyButton text={tool.name} what="the name" />
        <Badges annotations={tool.annotations} isComplete />
      </div>
      {tool.title !== null && tool.title !== tool.name && (
        <p class="tool-title" dir="auto">
          {visibleText(tool.title)}
        </p>
      )}
      <Description text={tool.description} />
    </div>
  );
}

/** Longer descriptions than this are folded; some servers put a manual there. */
const FOLD_LINES = 8;
const FOLD_CHARACTERS = 700;

function Description({ text }: { readonly text: string }): JSX.Element {
  const trimmed = text.trim();
  if (trimmed === "") return <p class="hint-inline">The tool has no description.</p>;
  const words = ["Show all of the description", "Show less"] as const;
  return <FoldedText text={trimmed} kind="description" short={FOLD_CHARACTERS} lines={FOLD_LINES} words={words} />;
}
