import { useCallback, useMemo } from "preact/hooks";
import { prettyJson } from "../json/print";
import { visibleText } from "../names";
import type { Api } from "../net/api";
import { type Loss, type TargetHead, type TargetOfTool, type ToolTargets as All, readTargetOfTool, readToolTargets } from "../net/judged";
import type { ToolDetail } from "../net/read";
import { toolHash } from "../route";
import { useLoad } from "../state/useLoad";
import { DiffView } from "./DiffView";
import { Findings } from "./Findings";
import { Loading, Notice } from "./Notice";
import { Tabs } from "./Tabs";
import { Taken } from "./TakeAway";
import { useMore } from "./useMore";
import { VerdictSign, countWords, inGroups, verdictWords } from "./verdicts";

/** Who accepts this tool, who refuses it, where and why, and what they would take instead. */
export function ToolTargets({ api, tool, target }: {
  readonly api: Api;
  readonly tool: ToolDetail;
  readonly target: string | null;
}) {
  const ask = useCallback((signal: AbortSignal) => api.targets(tool.name, signal), [api, tool.name]);
  const state = useLoad(ask, readToolTargets);
  return (
    <Loading state={state} waiting="Asking the targets…" failed="The targets could not be asked">
      {(all) => {
        const chosen = target ?? mostTelling(all);
        return (
          <div class="targets">
            <TargetList all={all} tool={tool.name} chosen={chosen} />
            {chosen !== null && <OneTarget key={chosen} api={api} tool={tool} target={chosen} />}
          </div>
        );
      }}
    </Loading>
  );
}

/** The first that refuses, else the first that warns. */
function mostTelling({ targets }: All): string | null {
  const found =
    targets.find(({ verdict }) => verdict === "refused") ??
    targets.find(({ verdict }) => verdict !== "accepted") ??
    targets[0];
  return found?.name ?? null;
}

function TargetList({ all, tool, chosen }: {
  readonly all: All;
  readonly tool: string;
  readonly chosen: string | null;
}) {
  const refusing = all.targets.filter(({ verdict }) => verdict === "refused").length;
  const warning = all.targets.filter(({ verdict }) => verdict === "accepted-with-warnings").length;
  return (
    <nav class="card target-list" aria-label="Targets of this tool">
      <p class="target-sum">
        {refusing === 0 ? "No target refuses it" : `${refusing} of ${all.targets.length} refuse it`}
        {warning > 0 && `, ${warning} warn`}.
      </p>
      {inGroups(all.targets).map((group) => (
        <div key={group.label} class="target-group">
          <h3>{group.label}</h3>
          <ul>
            {group.targets.map((each) => {
              const counts = countWords(each);
              return (
                <li key={each.name}>
                  <a
                    href={toolHash(tool, { view: "targets", target: each.name })}
                    aria-current={each.name === chosen ? "true" : undefined}
                    title={counts || undefined}
                  >
                    <VerdictSign verdict={each.verdict} />
                    <span class="target-name">{each.title}</span>
                    <span class="off-screen"> {verdictWords(each.verdict)}{counts && `, ${counts}`}</span>
                    <span class="target-count" aria-hidden="true">{each.errors || each.warnings || ""}</span>
                  </a>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function OneTarget({ api, tool, target }: { readonly api: Api; readonly tool: ToolDetail; readonly target: string }) {
  const ask = useCallback((signal: AbortSignal) => api.target(tool.name, target, signal), [api, tool.name, target]);
  const state = useLoad(ask, readTargetOfTool);
  return (
    <Loading state={state} waiting={`Asking ${target}…`} failed="This target could not be asked">
      {(found) => <Asked found={found} tool={tool} />}
    </Loading>
  );
}

function Asked({ found, tool }: { readonly found: TargetOfTool; readonly tool: ToolDetail }) {
  const { target, findings, lowered } = found;
  const counts = countWords(target);
  return (
    <section class="card target-card" aria-label={target.title}>
      <div class="target-head">
        <h3><VerdictSign verdict={target.verdict} /> {target.title}</h3>
        <span class="hint-inline">{verdictWords(target.verdict)}{counts && `: ${counts}`}</span>
      </div>
      <p class="target-text">{target.summary}</p>
      <Tabs
        label={`${target.title}: view`}
        tabs={[
          {
            id: "findings",
            label: `Findings (${findings.length})`,
            body: findings.length > 0 ? <Findings findings={findings} /> : <p class="hint">Nothing to object to.</p>,
          },
          { id: "lowered", label: "What it would take", body: <Lowering found={found} tool={tool} /> },
          ...(lowered === null ? [] : [{ id: "wire", label: "As its request", body: <Wire text={lowered.wire} title={target.title} /> }]),
          ...(found.unchecked.length === 0 ? [] : [{ id: "unchecked", label: "Not checked", body: <Unchecked found={found} /> }]),
        ]}
      />
    </section>
  );
}

function Wire({ text, title }: { readonly text: string; readonly title: string }) {
  return <Taken text={text} what={`tool for ${title}`} label={`The tool for ${title}`} />;
}

function Lowering({ found, tool }: { readonly found: TargetOfTool; readonly tool: ToolDetail }) {
  const original = useMemo(() => originalText(tool), [tool]);
  const { lowered, refused, target } = found;
  if (refused !== null) {
    return (
      <Notice tone="warn" title="This tool cannot be made acceptable">
        <p>{visibleText(refused.reason)}</p>
        <p>To mend it: {visibleText(refused.fix)}.</p>
      </Notice>
    );
  }
  if (lowered === null) return <p class="hint">{whyAsItIs(target)}</p>;
  return (
    <>
      <Losses losses={found.losses} />
      <DiffView
        left={original}
        right={lowered.tool}
        names={["As it is", `For ${target.title}`]}
        label="The tool as it is and as it is lowered"
      />
    </>
  );
}

function whyAsItIs({ title, lowers }: TargetHead): string {
  return lowers ? "The server gave no lowered tool." : `Tools go to ${title} as they are: nothing is changed for it.`;
}

function Losses({ losses }: { readonly losses: readonly Loss[] }) {
  if (losses.length === 0) return <p class="hint">Nothing is lost.</p>;
  const kinds = [...new Set(losses.map(({ kind }) => kind))];
  const counts = kinds.map((kind) => `${losses.filter((each) => each.kind === kind).length} ${kind}`).join(", ");
  return (
    <details class="losses" open={losses.length <= FEW_LOSSES}>
      <summary>What is lost: {losses.length} ({counts})</summary>
      <LossRows losses={losses} />
    </details>
  );
}

/** As many losses are shown at once; more are folded, so that the schema is in sight. */
const FEW_LOSSES = 4;
/** Losses at once in a list that was opened. */
const MAX_LOSSES = 100;

function LossRows({ losses }: { readonly losses: readonly Loss[] }) {
  const { shown, more } = useMore(losses, MAX_LOSSES);
  return (
    <ul>
      {shown.map((loss, index) => (
        <li key={index}>
          <span class={`badge ${loss.kind === "wider" && loss.madeGoodBy === "" ? "danger" : ""}`}>{loss.kind}</span>
          {loss.path !== "" && <code>{visibleText(loss.path)}</code>}
          <span class="loss-what">{visibleText(loss.what)}</span>
          {loss.madeGoodBy && <span class="loss-good">made good by {loss.madeGoodBy}</span>}
        </li>
      ))}
      {more && <li>{more}</li>}
    </ul>
  );
}

function Unchecked({ found }: { readonly found: TargetOfTool }) {
  return (
    <dl class="unchecked">
      {found.unchecked.map(([id, reason]) => (
        <div key={id}>
          <dt>{id}</dt>
          <dd>{reason}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The members that lowering looks at, in its order. */
function originalText(tool: ToolDetail): string {
  return prettyJson(
    `{"name": ${JSON.stringify(tool.name)}, "description": ${JSON.stringify(tool.description)}, "inputSchema": ${tool.input.text}}`,
  );
}
