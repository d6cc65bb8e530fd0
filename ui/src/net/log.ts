import { type JsonObject, isArray } from "../json/value";
import { asNumber } from "../schema/keywords";
import type { Answer } from "./api";
import { count, objects, text, textOrNull, textsOf } from "./fields";
import { type Loaded, readObject } from "./read";

/** One line of the contract log: what became of a request, and nothing of what was in it. */
export type LogLine = ReturnType<typeof line>;

export interface LogAnswer {
  /** Another one after the server was started anew: its numbers begin again. */
  readonly feed: string;
  readonly last: number;
  readonly lines: readonly LogLine[];
}

const TOOL = "mcp.tool:";

export function readLog(answer: Answer): Loaded<LogAnswer> {
  return readObject(answer, (value) => {
    if (!isArray(value["records"])) return null;
    return { feed: text(value, "feed"), last: count(value, "last"), lines: objects(value, "records").map(line) };
  });
}

/** Put new lines to those that are known; of another feed only the new ones count. */
export function joinLines(known: LogAnswer | null, fresh: LogAnswer, max: number): LogAnswer {
  const before = known !== null && known.feed === fresh.feed ? known.lines : [];
  const after = before.at(-1)?.number ?? 0;
  const lines = [...before, ...fresh.lines.filter(({ number }) => number > after)];
  return { ...fresh, lines: lines.slice(-max) };
}

export interface LogFilter {
  readonly tool: string;
  /** `""` for all, `failed` for every code, else one. */
  readonly code: string;
  readonly trace: string | null;
}

export function filterLines(lines: readonly LogLine[], { tool, code, trace }: LogFilter): readonly LogLine[] {
  const wanted = tool.trim().toLowerCase();
  return lines.filter(
    (each) =>
      (each.tool ?? "").toLowerCase().includes(wanted) &&
      (code === "" || (code === "failed" ? each.status >= 400 : each.code === code)) &&
      (trace === null || each.traceId === trace),
  );
}

function line(value: JsonObject) {
  const tool = textOrNull(value, "tool");
  return {
    number: count(value, "number"),
    ...textsOf(value, "ts", "traceId", "route"),
    // The server writes "1.0", whose spelling is kept elsewhere.
    durationMs: asNumber(value["durationMs"]) ?? 0,
    method: textOrNull(value, "method"),
    /** Without `mcp.tool:`; `null` where the request named none. */
    tool: tool?.startsWith(TOOL) ? tool.slice(TOOL.length) : tool,
    status: count(value, "status"),
    code: textOrNull(value, "canonicalCode"),
    errors: objects(value, "errors").map((each) => ({ path: text(each, "path"), keyword: textOrNull(each, "keyword") })),
  };
}
