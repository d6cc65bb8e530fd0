import type { ToolSummary } from "./net/api";
import { grouped } from "./once";

/** Tools whose name or description holds every word, in the server's order. */
export function filterTools(tools: readonly ToolSummary[], query: string): readonly ToolSummary[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return tools;
  return tools.filter(({ name, description }) => {
    const text = `${name}\n${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** As many names must share their first segment to be a group. */
export const MIN_SHARED = 3;

export interface Group {
  /** The segment that its names begin with; `null` for the tools of no group. */
  readonly segment: string | null;
  readonly tools: readonly ToolSummary[];
}

/** The text before the first separator, or `null` where there is none: `git` of `git_log`. */
export function firstSegment(name: string): string | null {
  return /^(.+?)(?:__|[/._])/s.exec(name)?.[1] ?? null;
}

/**
 * Sort tools into groups by the first segment of their names.
 *
 * Groups stand in the order in which the server names their first tools, those
 * of no group at the end; within a group the server's order is kept. Where no
 * three share a segment there is one group without a name.
 */
export function groupTools(tools: readonly ToolSummary[]): readonly Group[] {
  const bySegment = grouped(tools, ({ name }) => firstSegment(name));
  const groups: readonly Group[] = [...bySegment]
    .filter(([segment, members]) => segment !== null && members.length >= MIN_SHARED)
    .map(([segment, members]) => ({ segment, tools: members }));
  const inGroup = new Set(groups.flatMap((each) => each.tools));
  const rest = tools.filter((each) => !inGroup.has(each));
  return rest.length > 0 ? [...groups, { segment: null, tools: rest }] : groups;
}

export type ListItem =
  | { readonly kind: "group"; readonly segment: string | null; readonly count: number; readonly isOpen: boolean }
  | { readonly kind: "tool"; readonly tool: ToolSummary; readonly segment: string | null };

/** The rows of the list: heads with their counts, and the tools below those that are open. */
export function listItems(groups: readonly Group[], closed: ReadonlySet<string | null>): readonly ListItem[] {
  const hasHeads = groups.some(({ segment }) => segment !== null);
  return groups.flatMap(({ segment, tools }) => {
    const isOpen = !hasHeads || !closed.has(segment);
    const head: ListItem[] = hasHeads ? [{ kind: "group", segment, count: tools.length, isOpen }] : [];
    return [...head, ...(isOpen ? tools.map((tool): ListItem => ({ kind: "tool", tool, segment })) : [])];
  });
}
