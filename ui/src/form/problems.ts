import type { Problem } from "../editor/diagnostics";
import type { Path } from "../json/edit";
import { grouped } from "../once";
import { toPointer } from "../pointer";

/** The problems of a call by the place they are about. */
export interface FieldProblems {
  at(path: Path): readonly Problem[];
  /** Those of everything inside a place. */
  below(path: Path): readonly Problem[];
  /** Those inside a place that none of its own parts will show. */
  stray(path: Path, parts: ReadonlySet<string>): readonly Problem[];
}

/** Sort the problems by place. Where a union failed, so do the problems of the branch that was meant. */
export function fieldProblems(problems: readonly Problem[]): FieldProblems {
  const all = problems.flatMap(withCauses);
  const byPointer = grouped(all, ({ issue }) => issue.path);
  const below = (path: Path): readonly Problem[] => {
    const prefix = `${toPointer(path)}/`;
    return all.filter(({ issue }) => issue.path.startsWith(prefix));
  };
  return {
    at: (path) => byPointer.get(toPointer(path)) ?? [],
    below,
    stray: (path, parts) => {
      const start = toPointer(path).length + 1;
      return below(path).filter(({ issue }) => !parts.has(issue.path.slice(start).split("/")[0] ?? ""));
    },
  };
}

function withCauses(problem: Problem): readonly Problem[] {
  return [problem, ...problem.causes.flatMap(withCauses)];
}
