import type { JSX } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { unreachableReason, visibleName, visibleText } from "../names";
import type { Api } from "../net/api";
import { type ToolDetail, readDetail } from "../net/read";
import { useLoad } from "../state/useLoad";
import { Badges } from "./Badges";
import { Composer, type TokenBox } from "./Composer";
import { CopyButton } from "./CopyButton";
import { Notice } from "./Notice";
import { SchemaCard } from "./SchemaCard";

interface Props {
  readonly api: Api;
  readonly name: string;
  readonly allowExecute: boolean;
  readonly tokenBox: TokenBox;
  readonly drafts: Map<string, string>;
}

export function Detail({ api, name, ...rest }: Props): JSX.Element {
  const ask = useCallback((signal: AbortSignal) => api.detail(name, signal), [api, name]);
  const state = useLoad(ask, readDetail);
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
      <div class="column">
        <Composer api={api} tool={state.value} {...rest} />
        <div class="columns">
          <SchemaCard title="Input schema" schema={state.value.input} />
          {state.value.output && <SchemaCard title="Output schema" schema={state.value.output} />}
        </div>
      </div>
    </>
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
  const [isWhole, setWhole] = useState(false);
  const trimmed = text.trim();
  if (trimmed === "") return <p class="hint-inline">The tool has no description.</p>;
  const isLong = trimmed.length > FOLD_CHARACTERS || trimmed.split("\n").length > FOLD_LINES;
  return (
    <>
      <p class={`description ${isLong && !isWhole ? "folded" : ""}`} dir="auto">
        {visibleText(trimmed)}
      </p>
      {isLong && (
        <button type="button" class="link-button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : "Show all of the description"}
        </button>
      )}
    </>
  );
}
