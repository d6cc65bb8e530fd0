import type { Answer } from "./net/api";
import type { Outcome } from "./net/outcome";

/** One call that was answered. It has no token: that is a header, and no header is kept. */
export interface Run {
  readonly id: string;
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** As they were sent; `null` where they were too long to keep. */
  readonly args: string | null;
  readonly status: number;
  readonly verdict: "good" | "error" | "refused";
  readonly durationMs: number;
  readonly traceId: string;
  readonly body: string | null;
  readonly outputSchema: string | null;
}

/** Bounds; a browser gives a page about five million characters in all. */
export const LIMITS = { runsOfTool: 20, runs: 200, textChars: 50_000, chars: 1_500_000 } as const;

/** What takes the place of a token that a tool repeats in its answer. */
const MASK = "[token]";

/** The part of the browser's storage that is used; it may be forbidden or full. */
export type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export function newRun(
  tool: string,
  args: string,
  done: { readonly answer: Answer; readonly outcome: Outcome; readonly traceId: string },
  token: string | null,
  at: number,
): Run {
  const { answer, outcome, traceId } = done;
  const verdict = outcome.kind !== "result" ? "refused" : outcome.isError ? "error" : "good";
  return {
    id: traceId,
    tool,
    at,
    args: kept(args, token),
    status: answer.status,
    verdict,
    durationMs: answer.durationMs,
    traceId,
    body: kept(answer.body, token),
    outputSchema: answer.outputSchema ?? null,
  };
}

function kept(text: string, token: string | null): string | null {
  if (text.length > LIMITS.textChars) return null;
  return token ? text.replaceAll(token, MASK) : text;
}

/** The runs, newest first; what cannot be read counts as none. */
export function readRuns(store: Store, key: string): readonly Run[] {
  try {
    const value: unknown = JSON.parse(store.getItem(key) ?? "[]");
    return Array.isArray(value) ? value.filter(isRun) : [];
  } catch (error) {
    // Forbidden storage, or another page's text: the history then begins anew.
    console.debug("toolgauge: the history cannot be read", error);
    return [];
  }
}

/** Store runs, the oldest left out where there is no room for all; gives those that are kept. */
export function storeRuns(store: Store, key: string, runs: readonly Run[]): readonly Run[] {
  let left = within(runs);
  for (;;) {
    try {
      if (left.length === 0) store.removeItem(key);
      else store.setItem(key, JSON.stringify(left));
      return left;
    } catch (error) {
      if (left.length === 0) {
        console.debug("toolgauge: the history cannot be stored", error);
        return within(runs);
      }
      left = left.slice(0, Math.floor(left.length / 2));
    }
  }
}

function within(runs: readonly Run[]): readonly Run[] {
  const counts = new Map<string, number>();
  let chars = 0;
  return runs.slice(0, LIMITS.runs).filter((run) => {
    const count = (counts.get(run.tool) ?? 0) + 1;
    counts.set(run.tool, count);
    chars += (run.args?.length ?? 0) + (run.body?.length ?? 0) + run.tool.length;
    return count <= LIMITS.runsOfTool && chars <= LIMITS.chars;
  });
}

function isRun(value: unknown): value is Run {
  if (typeof value !== "object" || value === null) return false;
  const run = value as Record<string, unknown>;
  const isText = (key: string): boolean => typeof run[key] === "string";
  const isTextOrNull = (key: string): boolean => isText(key) || run[key] === null;
  return (
    ["id", "tool", "traceId"].every(isText) &&
    ["args", "body", "outputSchema"].every(isTextOrNull) &&
    ["at", "status", "durationMs"].every((key) => Number.isFinite(run[key])) &&
    ["good", "error", "refused"].includes(run["verdict"] as string)
  );
}
