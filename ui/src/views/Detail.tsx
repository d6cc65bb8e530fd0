import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import { unreachableReason, visibleName, visibleText } from "../names";
import { type ToolDetail, readDetail } from "../net/read";
import { type Fault, inArguments, toolHash } from "../route";
import { lineFinder } from "../schema/locate";
import { useLoad } from "../state/useLoad";
import { Badges } from "./Badges";
import { Composer, type ComposerProps } from "./Composer";
import { CopyButton } from "./CopyButton";
import { FoldedText } from "./LongText";
import { FaultList, Loading, Notice } from "./Notice";
import { SchemaCard } from "./SchemaCard";
import { ToolTargets } from "./ToolTargets";

type Props = Omit<ComposerProps, "tool"> & {
  /** Another one where the tool is to be asked for again. */
  readonly round: number;
};

export function Detail({ api, place, round, ...rest }: Props) {
  const { name, view } = place;
  const ask = useCallback((signal: AbortSignal) => api.detail(name, signal), [api, name]);
  const state = useLoad(ask, readDetail, round);
  const reason = unreachableReason(name);
  if (reason !== null) return <Notice title="This tool cannot be opened">{reason}</Notice>;
  const isMissing = state.phase === "failed" && state.status === 404;
  return (
    <Loading
      state={state}
      waiting={`Loading ${visibleName(name)}…`}
      failed={isMissing ? "There is no such tool" : "The tool could not be loaded"}
      tone={isMissing ? "warn" : "bad"}
    >
      {(tool) => (
        <>
          <Heading tool={tool} />
          <nav class="views" aria-label="Views of this tool">
            <a href={toolHash(name)} aria-current={view === "try" ? "true" : undefined}>Try it</a>
            <a href={toolHash(name, { view: "targets" })} aria-current={view === "targets" ? "true" : undefined}>
              Targets
            </a>
          </nav>
          {view === "targets" && <ToolTargets key={round} api={api} tool={tool} target={place.target} />}
          {/* Kept, so that what was typed and what came back are still there. */}
          <div class="column" hidden={view !== "try"}>
            <Faults faults={place.faults} tool={tool} />
            {/* Another schema is another form. */}
            <Composer key={tool.input.text} api={api} tool={tool} place={place} {...rest} />
            <div class="columns">
              <SchemaCard title="Input schema" schema={tool.input} />
              {tool.output && <SchemaCard title="Output schema" schema={tool.output} />}
            </div>
          </div>
        </>
      )}
    </Loading>
  );
}

/** What a line of the log said of a call whose arguments nobody has any more. */
function Faults({ faults, tool }: { readonly faults: readonly Fault[]; readonly tool: ToolDetail }) {
  const findLine = useMemo(() => lineFinder(tool.input.value, tool.input.text), [tool]);
  if (faults.length === 0) return null;
  const said = faults.map(({ path, keyword }) => {
    const own = inArguments(path);
    return { path: own ?? path, keyword, line: own === null ? null : findLine(own, keyword, null) };
  });
  return <Notice tone="warn" title="What the log says of a call of this tool"><FaultList faults={said} /></Notice>;
}

function Heading({ tool }: { readonly tool: ToolDetail }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // On a narrow screen the list, and with it the focus, is gone now.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <div class="heading">
      <div class="heading-line">
        <h2 ref={heading} tabIndex={-1}><bdi>{visibleName(tool.name)}</bdi></h2>
        <CopyButton text={tool.name} what="the name" />
        <Badges annotations={tool.annotations} isComplete />
      </div>
      {tool.title !== null && tool.title !== tool.name && (
        <p class="tool-title" dir="auto">{visibleText(tool.title)}</p>
      )}
      <Description text={tool.description} />
    </div>
  );
}

/** Longer descriptions than this are folded; some servers put a manual there. */
const FOLD_LINES = 8;
const FOLD_CHARACTERS = 700;

function Description({ text }: { readonly text: string }) {
  const trimmed = text.trim();
  if (trimmed === "") return <p class="hint-inline">The tool has no description.</p>;
  const words = ["Show all of the description", "Show less"] as const;
  return <FoldedText text={trimmed} kind="description" short={FOLD_CHARACTERS} lines={FOLD_LINES} words={words} />;
}
