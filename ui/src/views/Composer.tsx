import type { EditorView } from "@codemirror/view";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Config } from "../config";
import type { Drafts } from "../drafts";
import { goTo, replaceText } from "../editor/create";
import { type Problem, draftProblem, issueProblems, localProblems } from "../editor/diagnostics";
import { FormPane } from "../form/FormPane";
import type { Draft } from "../form/context";
import type { Run } from "../history";
import { type Parsed, parseJson } from "../json/parse";
import type { Api } from "../net/api";
import { readOutcome } from "../net/outcome";
import type { ToolDetail } from "../net/read";
import { toPointer } from "../pointer";
import { type Readiness, readiness } from "../readiness";
import { type Extent, exampleJson } from "../schema/example";
import { lineFinder } from "../schema/locate";
import { skeleton } from "../schema/skeleton";
import { type ToolPlace, toolHash } from "../route";
import type { CallState, Calls } from "../state/useCalls";
import { replaceHash } from "../state/useHash";
import type { History } from "../state/useHistory";
import { useValidation } from "../state/useValidation";
import { useWish } from "../state/useWish";
import { Editor } from "./Editor";
import { HistoryCard } from "./HistoryCard";
import { Card } from "./Notice";
import { Problems } from "./Problems";
import { ResultCard } from "./ResultCard";
import { RunBar } from "./RunBar";
import { Tabs } from "./Tabs";
import { TakeAway } from "./TakeAway";
import { ValidationStatus } from "./ValidationStatus";
import { Button, Choices } from "./buttons";

/** Form and JSON side by side, or only one of them. */
const VIEWS = [["both", "Both"], ["form", "Form"], ["json", "JSON"]] as const;

/** The token, held by the page for as long as it is open, and nowhere else. */
export interface TokenBox {
  readonly token: string | null;
  readonly set: (token: string) => void;
}

export interface ComposerProps {
  readonly api: Api;
  readonly tool: ToolDetail;
  readonly config: Config;
  readonly tokenBox: TokenBox;
  readonly history: History;
  readonly calls: Calls;
  readonly place: ToolPlace;
  readonly drafts: Drafts;
  /** The run that the result card of a tool shows, by the tool. */
  readonly shownRuns: Map<string, string>;
}

export function Composer({ api, tool, config, tokenBox, history, calls, place, drafts, shownRuns }: ComposerProps) {
  const { allowExecute } = config;
  const initial = useMemo(() => skeleton(tool.input.value), [tool]);
  const findLine = useMemo(() => lineFinder(tool.input.value, tool.input.text), [tool]);
  const [text, setText] = useState(drafts.get(tool.name) ?? initial);
  const [view, setView] = useState<(typeof VIEWS)[number][0]>("both");
  const [unfinished, setUnfinished] = useState<readonly Draft[]>([]);
  const editor = useRef<EditorView | null>(null);
  const parsed = useMemo(() => parseJson(text), [text]);
  const { verdict, pending, retry } = useValidation(api, tool.name, text, parsed.ok);
  const [shownId, setShownId] = useState(shownRuns.get(tool.name) ?? null);
  const past = history.runs.find(({ id, tool: name }) => id === shownId && name === tool.name) ?? null;
  const state = calls.stateOf(tool.name);
  const problems = useMemo(() => {
    const issues = verdict?.kind === "invalid" ? verdict.issues : [];
    return [...localProblems(text, parsed), ...issueProblems(text, parsed, issues, findLine)];
  }, [text, parsed, verdict, findLine]);
  const listed = useMemo(() => [...draftProblems(text, parsed, unfinished), ...problems], [text, parsed, unfinished, problems]);
  const ready: Readiness =
    unfinished.length > 0
      ? { ok: false, reason: "A field of the form holds no value yet.", waits: false }
      : readiness({ allowExecute, parsed, verdict, pending });

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
  const show = (id: string | null): void => {
    if (id === null) shownRuns.delete(tool.name);
    else shownRuns.set(tool.name, id);
    setShownId(id);
  };
  const wish = useWish(text, pending, (token) => {
    if (!ready.ok) return;
    show(null);
    calls.run({ tool: tool.name, body: text, token });
  });
  const run = (token = tokenBox.token): void => {
    if (ready.ok || ready.waits) wish(token, ready.ok);
  };
  const runWithToken = (token: string): void => {
    tokenBox.set(token);
    run(token);
  };
  const fill = (extent: Extent): void => put(exampleJson(tool.input.value, extent));
  const choose = (problem: Problem): void => {
    if (editor.current) goTo(editor.current, problem.place);
  };
  const recall = (run: Run): void => {
    // What is masked is not what was sent.
    if (run.args !== null && run.argsKept === "whole") put(run.args);
    show(run.id);
  };
  useEffect(() => {
    if (place.run === null) return;
    const found = history.runs.find(({ id, tool: name }) => id === place.run && name === tool.name);
    if (found) recall(found);
    // Once, also for whoever comes back to this address: what is typed after it stays.
    replaceHash(toolHash(tool.name, { ...place, run: null }));
  }, [place.run]);
  const runs = history.runs.filter((each) => each.tool === tool.name);
  const isAsked = state.phase === "done" && state.outcome.kind === "unauthorized";
  const schema = tool.input.value;
  // Both stay alive where one is hidden: an editor keeps its history.
  const panes = (
    <div class="panes">
      <div class={`panes-inner ${view}`}>
        <div class="pane pane-form" hidden={view === "json"}>
          <FormPane
            {...{ schema, text, parsed, problems }}
            onText={put}
            onDrafts={setUnfinished}
            onSubmit={() => run()}
          />
        </div>
        <div class="pane pane-json" hidden={view === "form"}>
          <Editor initialText={text} schema={schema} problems={listed} view={editor} onChange={change} onSubmit={() => run()} />
        </div>
      </div>
    </div>
  );
  return (
    <>
      <Card title="Arguments" class="composer">
        <Tabs
          label="Arguments: view"
          aside={
            <div class="composer-tools">
              <Choices label="Show" all={VIEWS} chosen={view} onChoose={setView} />
              <div class="tool-group" role="group" aria-label="Fill example">
                <span aria-hidden="true">Fill example</span>
                <Button title="What the schema requires" onClick={() => fill("required")}>Required</Button>
                <Button title="Every property" onClick={() => fill("all")}>All</Button>
              </div>
              <Button disabled={text === initial} onClick={() => put(initial)}>Reset</Button>
            </div>
          }
          tabs={[
            { id: "compose", label: "Compose", body: panes },
            {
              id: "take",
              label: "Take away",
              body: () => (
                <TakeAway
                  api={api}
                  tool={tool.name}
                  text={text}
                  parsed={parsed}
                  mcpPath={config.mcpPath}
                  needsToken={tokenBox.token !== null || isAsked}
                />
              ),
            },
          ]}
        />
        <Problems problems={listed} isStale={pending} onChoose={choose} />
        <div class="composer-foot">
          <RunBar ready={ready} state={state} onRun={() => run()} onCancel={() => calls.cancel(tool.name)} />
          <ValidationStatus parsed={parsed} verdict={verdict} pending={pending} retry={retry} />
        </div>
      </Card>
      <ResultCard
        state={past === null ? state : stateOf(past)}
        past={past}
        output={tool.output}
        hasLog={config.hasLog}
        onRetry={() => run()}
        onToken={runWithToken}
        hindrance={ready.ok || ready.waits ? null : ready.reason}
        hasRuns={runs.length > 0}
      />
      <HistoryCard runs={runs} shownId={past?.id ?? null} onShow={recall} onClear={() => history.clear(tool.name)} />
    </>
  );
}

function draftProblems(text: string, parsed: Parsed, drafts: readonly Draft[]): readonly Problem[] {
  return drafts.flatMap(({ path, message }) => draftProblem(text, parsed, toPointer(path), message) ?? []);
}

/** A run of the history as if it had just been answered. */
function stateOf(run: Run): CallState {
  const { status, durationMs, outputSchema, traceId } = run;
  const answer = { status, durationMs, outputSchema, body: run.body ?? "", retryAfterS: null };
  return { phase: "done", answer, outcome: readOutcome(answer), traceId, hadToken: false };
}
