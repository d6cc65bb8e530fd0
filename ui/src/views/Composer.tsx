import type { EditorView } from "@codemirror/view";
import type { JSX } from "preact";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { curlCommand } from "../curl";
import { goTo, replaceText } from "../editor/create";
import { type Problem, issueProblems, localProblems } from "../editor/diagnostics";
import { parseJson } from "../json/parse";
import type { Api } from "../net/api";
import type { ToolDetail } from "../net/read";
import { readiness } from "../readiness";
import { skeleton } from "../schema/skeleton";
import { useCall } from "../state/useCall";
import { useValidation } from "../state/useValidation";
import { CopyButton } from "./CopyButton";
import { Editor } from "./Editor";
import { Problems } from "./Problems";
import { ResultCard } from "./ResultCard";
import { RunBar } from "./RunBar";
import { Tabs } from "./Tabs";
import { ValidationStatus } from "./ValidationStatus";

/** The token, held by the page for as long as it is open, and nowhere else. */
export interface TokenBox {
  readonly token: string | null;
  readonly set: (token: string) => void;
}

interface Props {
  readonly api: Api;
  readonly tool: ToolDetail;
  readonly allowExecute: boolean;
  readonly tokenBox: TokenBox;
  /** Texts of tools that were left, so that coming back loses nothing. */
  readonly drafts: Map<string, string>;
}

export function Composer({ api, tool, allowExecute, tokenBox, drafts }: Props): JSX.Element {
  const initial = useMemo(() => skeleton(tool.input.value), [tool]);
  const [text, setText] = useState(drafts.get(tool.name) ?? initial);
  const editor = useRef<EditorView | null>(null);
  const parsed = useMemo(() => parseJson(text), [text]);
  const { verdict, pending, retry } = useValidation(api, tool.name, text, parsed.ok);
  const call = useCall(api, tool.name);
  const problems = useMemo(() => {
    const issues = verdict?.kind === "invalid" ? verdict.issues : [];
    return [...localProblems(text, parsed), ...issueProblems(text, parsed, issues)];
  }, [text, parsed, verdict]);
  const ready = readiness({ allowExecute, parsed, verdict });

  const change = useCallback(
    (next: string) => {
      drafts.set(tool.name, next);
      setText(next);
    },
    [drafts, tool],
  );
  const run = (token = tokenBox.token): void => {
    if (ready.ok) call.run(text, token);
  };
  const runWithToken = (token: string): void => {
    tokenBox.set(token);
    run(token);
  };
  const reset = (): void => {
    if (!editor.current) return;
    replaceText(editor.current, initial);
    editor.current.focus();
  };
  const choose = (problem: Problem): void => {
    if (editor.current) goTo(editor.current, problem.place);
  };
  const isAsked = call.state.phase === "done" && call.state.outcome.kind === "unauthorized";
  const curl = curlCommand({
    base: api.base,
    tool: tool.name,
    body: text,
    needsToken: tokenBox.token !== null || isAsked,
  });
  const argumentsPanel = (
    <>
      <Editor initialText={text} problems={problems} view={editor} onChange={change} onSubmit={() => run()} />
      <ValidationStatus parsed={parsed} verdict={verdict} pending={pending} retry={retry} />
      <Problems problems={problems} isStale={pending} onChoose={choose} />
    </>
  );
  return (
    <>
      <section class="card composer" aria-label="Arguments">
        <h3 class="card-title">Arguments</h3>
        <Tabs
          label="Arguments: view"
          aside={
            <button type="button" class="small-button" disabled={text === initial} onClick={reset}>
              Reset
            </button>
          }
          tabs={[
            { id: "json", label: "JSON", body: argumentsPanel },
            { id: "curl", label: "cURL", body: <Curl command={curl} isJson={parsed.ok} /> },
          ]}
        />
        <RunBar ready={ready} state={call.state} onRun={() => run()} onCancel={call.cancel} />
      </section>
      <ResultCard state={call.state} onRetry={() => run()} onToken={runWithToken} hadToken={tokenBox.token !== null} />
    </>
  );
}

function Curl({ command, isJson }: { readonly command: string; readonly isJson: boolean }): JSX.Element {
  return (
    <div class="curl">
      <pre class="code" tabIndex={0} role="region" aria-label="cURL command">
        {command}
      </pre>
      <div class="curl-foot">
        <CopyButton text={command} what="the cURL command" />
        <span class="hint-inline">
          {isJson ? "For a POSIX shell. It runs the tool." : "The JSON is broken: the server will refuse this call."}
        </span>
      </div>
    </div>
  );
}
