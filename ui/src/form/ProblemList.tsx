import type { JSX } from "preact";
import { type Problem, lineText } from "../editor/diagnostics";
import { visibleText } from "../names";

const MAX_ROWS = 20;

/** What is wrong at a place, where it is edited. */
export function ProblemList({
  id,
  problems,
}: {
  readonly id?: string;
  readonly problems: readonly Problem[];
}): JSX.Element | null {
  if (problems.length === 0) return null;
  return (
    <ul class="form-problems" id={id}>
      {problems.slice(0, MAX_ROWS).map(({ severity, issue, schemaLine }, index) => (
        <li key={index} class={severity}>
          {issue.keyword && <span class="keyword">{issue.keyword}</span>} <span dir="auto">{visibleText(issue.message)}</span>
          {schemaLine && <span class="schema-line">{lineText(schemaLine)}</span>}
        </li>
      ))}
      {problems.length > MAX_ROWS && <li>And {problems.length - MAX_ROWS} more.</li>}
    </ul>
  );
}
