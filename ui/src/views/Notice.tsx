import type { ComponentChildren } from "preact";
import { lineText } from "../editor/diagnostics";
import { visibleText } from "../names";
import type { SchemaLine } from "../schema/locate";
import type { LoadState } from "../state/useLoad";
import { Button } from "./buttons";

/** A sentence about a state, and what can be done about it. */
export function Notice({ tone = "plain", title, children, action }: {
  readonly tone?: "plain" | "bad" | "warn";
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly action?: { readonly label: string; readonly run: () => void };
}) {
  return (
    <div class={`notice ${tone}`} role={tone === "plain" ? undefined : "alert"}>
      <p class="notice-title">{title}</p>
      {children && <div class="notice-text">{children}</div>}
      {action && <Button class="button" onClick={action.run}>{action.label}</Button>}
    </div>
  );
}

/** What is loaded, or that it is not there yet, or why not and a way to try again. */
export function Loading<T>({ state, waiting, failed, tone = "bad", children }: {
  readonly state: LoadState<T> & { readonly reload: () => void };
  readonly waiting: string;
  readonly failed: string;
  readonly tone?: "bad" | "warn";
  readonly children: (value: T) => ComponentChildren;
}) {
  if (state.phase === "loading") return <p class="hint">{waiting}</p>;
  if (state.phase === "ready") return <>{children(state.value)}</>;
  return (
    <Notice tone={tone} title={failed} action={{ label: "Try again", run: state.reload }}>{state.problem}</Notice>
  );
}

/** A card with its title. */
export function Card({ title, class: more = "", children }: {
  readonly title: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={`card ${more}`.trim()} aria-label={title}>
      <h3 class="card-title">{title}</h3>
      {children}
    </section>
  );
}

interface Said {
  readonly path?: string;
  readonly keyword: string | null;
  readonly line: SchemaLine | null | undefined;
}

/** The keyword that failed, and the line of the schema that it is on. */
export function Keyword({ keyword }: { readonly keyword: string | null }) {
  return keyword === null || keyword === "" ? null : <span class="keyword">{keyword}</span>;
}

export function Line({ line }: Pick<Said, "line">) {
  return line ? <span class="schema-line">{lineText(line)}</span> : null;
}

/** What is known of calls whose values are not: the places, the keywords, the lines of the schema. */
export function FaultList({ faults }: { readonly faults: readonly Said[] }) {
  return (
    <ul class="faults">
      {faults.map(({ path = "", keyword, line }, index) => (
        <li key={index}>
          <code>{visibleText(path) || "/"}</code> <Keyword keyword={keyword} />
          <Line line={line} />
        </li>
      ))}
    </ul>
  );
}
