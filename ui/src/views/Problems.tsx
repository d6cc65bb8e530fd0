import type { JSX } from "preact";
import { type Problem, lineText } from "../editor/diagnostics";
import { visibleText } from "../names";

/** Rows at once; nobody mends a thousand problems from a list. */
const MAX_ROWS = 100;

export function Problems({
  problems,
  isStale,
  onChoose,
}: {
  readonly problems: readonly Problem[];
  readonly isStale: boolean;
  readonly onChoose: (problem: Problem) => void;
}): JSX.Element | null {
  if (problems.length === 0) return null;
  return (
    <ul class={`problems ${isStale ? "stale" : ""}`} aria-label="Problems">
      {problems.slice(0, MAX_ROWS).map((problem, index) => (
        <li key={index} class={problem.severity}>
          <button type="button" class="problem" onClick={() => onChoose(problem)}>
            <span class="problem-dot" aria-hidden="true" />
            <span class="problem-main">
              <span class="problem-head">
                {problem.issue.path !== "" && <code class="problem-path">{visibleText(problem.issue.path)}</code>}
                {problem.issue.keyword && <span class="keyword">{problem.issue.keyword}</span>}
                <span class="position">
                  line {problem.line}, column {problem.column}
                </span>
              </span>
              <span class="problem-text" dir="auto">
                {visibleText(problem.issue.message)}
              </span>
              {problem.issue.hint && <span class="problem-hint">{visibleText(problem.issue.hint)}</span>}
              {problem.schemaLine && <span class="schema-line">{lineText(problem.schemaLine)}</span>}
            </span>
          </button>
          <Causes causes={problem.causes} />
        </li>
      ))}
      {problems.length > MAX_ROWS && <li class="hint">And {problems.length - MAX_ROWS} more.</li>}
    </ul>
  );
}

/** Why each branch of an anyOf or oneOf did not fit; folded, for there may be many. */
function Causes({ causes }: { readonly causes: readonly Problem[] }): JSX.Element | null {
  if (causes.length === 0) return null;
  return (
    <details class="causes">
      <summary>
        {causes.length} {causes.length === 1 ? "cause" : "causes"}
      </summary>
      <ul>
        {causes.slice(0, MAX_ROWS).map(({ issue, schemaLine, causes: below }, index) => (
          <li key={index}>
            {issue.path !== "" && <code class="problem-path">{visibleText(issue.path)}</code>}{" "}
            {issue.keyword && <span class="keyword">{issue.keyword}</span>} {visibleText(issue.message)}
            {issue.hint && <span class="problem-hint">{visibleText(issue.hint)}</span>}
            {schemaLine && <span class="schema-line">{lineText(schemaLine)}</span>}
            <Causes causes={below} />
          </li>
        ))}
        {causes.length > MAX_ROWS && <li class="hint">And {causes.length - MAX_ROWS} more.</li>}
      </ul>
    </details>
  );
}
