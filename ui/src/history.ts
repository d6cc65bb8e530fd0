import type { Answer } from "./net/api";
import type { Outcome } from "./net/outcome";
import { maskSecret } from "./secret";
import { type Store, readStored } from "./state/storage";

/** What became of a text: it is there, with the token masked, or it is not, being too long or full of the token. */
export type Keeping = "whole" | "masked" | "long" | "secret";

/** Completes "This answer …". */
export const NOT_KEPT: Readonly<Record<Keeping, string>> = {
  whole: "is kept",
  masked: "held the token, which is not kept",
  secret: "held the token, which is not kept",
  long: "was too long to keep",
};

/** One call that was answered. It has no token: that is a header, and no header is kept. */
export interface Run {
  readonly id: string;
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** As they were sent; `null` where they are not kept. */
  readonly args: string | null;
  readonly argsKept: Keeping;
  readonly status: number;
  readonly verdict: "good" | "error" | "refused";
  readonly durationMs: number;
  readonly traceId: string;
  readonly body: string | null;
  readonly bodyKept: Keeping;
  readonly outputSchema: string | null;
}

/** Bounds; a browser gives a page about five million characters in all. */
export const LIMITS = { runsOfTool: 20, runs: 200, textChars: 50_000, chars: 1_500_000 } as const;

export function newRun(
  tool: string,
  args: string,
  done: { readonly answer: Answer; readonly outcome: Outcome; readonly traceId: string },
  token: string | null,
  at: number,
): Run {
  const { answer, outcome, traceId } = done;
  const [own, theirs] = [kept(args, token), kept(answer.body, token)];
  const verdict = outcome.kind !== "result" ? "refused" : outcome.isError ? "error" : "good";
  return {
    id: traceId,
    tool,
    at,
    args: own.text,
    argsKept: own.keeping,
    status: answer.status,
    verdict,
    durationMs: answer.durationMs,
    traceId,
    body: theirs.text,
    bodyKept: theirs.keeping,
    outputSchema: answer.outputSchema ?? null,
  };
}

function kept(text: string, token: string | null): { readonly text: string | null; readonly keeping: Keeping } {
  if (text.length > LIMITS.textChars) return { text: null, keeping: "long" };
  const masked = token ? maskSecret(text, token) : text;
  return { text: masked, keeping: masked === null ? "secret" : masked === text ? "whole" : "masked" };
}

/** The runs, newest first; what cannot be read counts as none. */
export function readRuns(store: Store | null, key: string): readonly Run[] {
  return readStored(store, key, "history", isRun);
}

/** Store runs, the oldest left out where there is no room for all; gives those that are kept. */
export function storeRuns(store: Store | null, key: string, runs: readonly Run[]): readonly Run[] {
  let left = within(runs);
  if (store === null) return left;
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
    ["good", "error", "refused"].includes(run["verdict"] as string) &&
    ["argsKept", "bodyKept"].every((key) => ["whole", "masked", "long", "secret"].includes(run[key] as string))
  );
}
