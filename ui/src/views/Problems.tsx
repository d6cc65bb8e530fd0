import type { Problem } from "../editor/diagnostics";
import { visibleText } from "../names";
import { Keyword, Line } from "./Notice";
import { Button } from "./buttons";

/** Rows at once; nobody mends a thousand problems from a list. */
const MAX_ROWS = 100;

export function Problems({ problems, isStale, onChoose }: {
  readonly problems: readonly Problem[];
  readonly isStale: boolean;
  readonly onChoose: (problem: Problem) => void;
}) {
  if (problems.length === 0) return null;
  return (
    <ul class={`problems ${isStale ? "stale" : ""}`} aria-label="Problems">
      {problems.slice(0, MAX_ROWS).map((problem, index) => (
        <li key={index} class={problem.severity}>
          <Button class="problem" onClick={() => onChoose(problem)}>
            <span class="problem-dot" aria-hidden="true" />
            <span class="problem-main">
              <span class="problem-head">
                <Place issue={problem.issue} />
                <Keyword keyword={problem.issue.keyword} />
                <span class="position">line {problem.line}, column {problem.column}</span>
              </span>
              <span class="problem-text" dir="auto">{visibleText(problem.issue.message)}</span>
              <Hints problem={problem} />
            </span>
          </Button>
          <Causes causes={problem.causes} />
        </li>
      ))}
      {problems.length > MAX_ROWS && <li class="hint">And {problems.length - MAX_ROWS} more.</li>}
    </ul>
  );
}

/** Why each branch of an anyOf or oneOf did not fit; folded, for there may be many. */
function Causes({ causes }: { readonly causes: readonly Problem[] }) {
  if (causes.length === 0) return null;
  return (
    <details class="causes">
      <summary>{causes.length} {causes.length === 1 ? "cause" : "causes"}</summary>
      <ul>
        {causes.slice(0, MAX_ROWS).map((cause, index) => (
          <li key={index}>
            <Place issue={cause.issue} /> <Keyword keyword={cause.issue.keyword} /> {visibleText(cause.issue.message)}
            <Hints problem={cause} />
            <Causes causes={cause.causes} />
          </li>
        ))}
        {causes.length > MAX_ROWS && <li class="hint">And {causes.length - MAX_ROWS} more.</li>}
      </ul>
    </details>
  );
}

function Place({ issue: { path } }: Pick<Problem, "issue">) {
  return path === "" ? null : <code class="problem-path">{visibleText(path)}</code>;
}

function Hints({ problem: { issue, schemaLine } }: { readonly problem: Problem }) {
  return (
    <>
      {issue.hint && <span class="problem-hint">{visibleText(issue.hint)}</span>}
      <Line line={schemaLine} />
    </>
  );
}

/** Rows at one field. */
const MAX_FIELD_ROWS = 20;

/** What is wrong at a field, where it is edited. */
export function FieldProblems({ id, problems }: { readonly id?: string; readonly problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul class="form-problems" id={id}>
      {problems.slice(0, MAX_FIELD_ROWS).map(({ severity, issue, schemaLine }, index) => (
        <li key={index} class={severity}>
          <Keyword keyword={issue.keyword} /> <span dir="auto">{visibleText(issue.message)}</span>
          <Line line={schemaLine} />
        </li>
      ))}
      {problems.length > MAX_FIELD_ROWS && <li>And {problems.length - MAX_FIELD_ROWS} more.</li>}
    </ul>
  );
}
