import type { EditorView } from "@codemirror/view";
import type { JSX } from "preact";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { curlCommand } from "../curl";
import { goTo, replaceText } from "../editor/create";
import { type Problem, draftProblem, issueProblems, localProblems } from "../editor/diagnostics";
import { FormPane } from "../form/FormPane";
import type { Draft } from "../form/context";
import { type Parsed, parseJson } from "../json/parse";
import type { Api } from "../net/api";
import type { ToolDetail } from "../net/read";
import { toPointer } from "../pointer";
import { type Readiness, readiness } from "../readiness";
import { type Extent, exampleJson } from "../schema/example";
import { lineFinder } from "../schema/locate";
import { skeleton } from "../schema/skeleton";
import { useCall } from "../state/useCall";
import { useValidation } from "../state/useValidation";
import { CopyButton } from "./CopyButton";
import { Editor } from "./Editor";
import { FillExample } from "./FillExample";
import { PaneSwitch, type PaneView, Panes } from "./Panes";
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
  const findLine = useMemo(() => lineFinder(tool.input.value, tool.input.text), [tool]);
  const [text, setText] = useState(drafts.get(tool.name) ?? initial);
  const [view, setView] = useState<PaneView>("both");
  const [unfinished, setUnfinished] = useState<readonly Draft[]>([]);
  const editor = useRef<EditorView | null>(null);
  const parsed = useMemo(() => parseJson(text), [text]);
  const { verdict, pending, retry } = useValidation(api, tool.name, text, parsed.ok);
  const call = useCall(api, tool.name);
  const problems = useMemo(() => {
    const issues = verdict?.kind === "invalid" ? verdict.issues : [];
    return [...localProblems(text, parsed), ...issueProblems(text, parsed, issues, findLine)];
  }, [text, parsed, verdict, findLine]);
  const listed = useMemo(() => [...draftProblems(text, parsed, unfinished), ...problems], [text, parsed, unfinished, problems]);
  const ready: Readiness =
    unfinished.length > 0
      ? { ok: false, reason: "A field of the form holds no value yet." }
      : readiness({ allowExecute, parsed, verdict });

  const change = useCallback(
    (next: string) => {
      drafts.set(tool.name, next);
      setText(next);
    },
    [drafts, tool],
  );
  // Through the editor, so that one history undoes what was done in either pane.
  const put = (next: string): void => {
    if (editor.current) replaceText(editor.current, next);
    else change(next);
  };
  const run = (token = tokenBox.token): void => {
    if (ready.ok) call.run(text, token);
  };
  const runWithToken = (token: string): void => {
    tokenBox.set(token);
    run(token);
  };
  const fill = (extent: Extent): void => put(exampleJson(tool.input.value, extent));
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
  const form = (
    <FormPane
      schema={tool.input.value}
      text={text}
      parsed={parsed}
      problems={problems}
      onText={put}
      onDrafts={setUnfinished}
      onSubmit={() => run()}
    />
  );
  const json = (
    <Editor
      initialText={text}
      schema={tool.input.value}
      problems={listed}
      view={editor}
      onChange={change}
      onSubmit={() => run()}
    />
  );
  return (
    <>
      <section class="card composer" aria-label="Arguments">
        <h3 class="card-title">Arguments</h3>
        <Tabs
          label="Arguments: view"
          aside={
            <div class="composer-tools">
              <PaneSwitch view={view} onView={setView} />
              <FillExample onFill={fill} onReset={() => put(initial)} canReset={text !== initial} />
            </div>
          }
          tabs={[
            { id: "compose", label: "Compose", body: <Panes view={view} form={form} json={json} /> },
            { id: "curl", label: "cURL", body: <Curl command={curl} isJson={parsed.ok} /> },
          ]}
        />
        <Problems problems={listed} isStale={pending} onChoose={choose} />
        <div class="composer-foot">
          <RunBar ready={ready} state={call.state} onRun={() => run()} onCancel={call.cancel} />
          <ValidationStatus parsed={parsed} verdict={verdict} pending={pending} retry={retry} />
        </div>
      </section>
      <ResultCard state={call.state} onRetry={() => run()} onToken={runWithToken} hadToken={tokenBox.token !== null} />
    </>
  );
}

function draftProblems(text: string, parsed: Parsed, drafts: readonly Draft[]): readonly Problem[] {
  return drafts.flatMap(({ path, message }) => draftProblem(text, parsed, toPointer(path), message) ?? []);
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
