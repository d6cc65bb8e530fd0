import { type JsonObject, isArray, isObject, readJson } from "../json/value";
import type { Answer } from "./api";
import { type Loaded, failedLoad } from "./read";
import type { Fault } from "../route";

/** One line of the contract log: what became of a request, and nothing of what was in it. */
export interface LogLine {
  readonly number: number;
  readonly ts: string;
  readonly traceId: string;
  readonly requestId: string;
  readonly durationMs: number;
  readonly route: string;
  readonly method: string | null;
  /** Without `mcp.tool:`; `null` where the request named none. */
  readonly tool: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly errors: readonly Fault[];
}

export interface LogAnswer {
  /** Another one after the server was started anew: its numbers begin again. */
  readonly feed: string;
  readonly last: number;
  readonly lines: readonly LogLine[];
}

const TOOL = "mcp.tool:";

export function readLog(answer: Answer): Loaded<LogAnswer> {
  const value = readJson(answer.body);
  if (answer.status !== 200 || !isObject(value) || !isArray(value["records"])) return failedLoad(answer);
  const { feed, last } = value;
  return {
    value: {
      feed: typeof feed === "string" ? feed : "",
      last: typeof last === "number" ? last : 0,
      lines: value["records"].filter(isObject).map(line),
    },
  };
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

function line(value: JsonObject): LogLine {
  const text = (key: string): string | null => {
    const found = value[key];
    return typeof found === "string" ? found : null;
  };
  const number = (key: string): number => {
    const found = value[key];
    return typeof found === "number" ? found : 0;
  };
  const tool = text("tool");
  return {
    number: number("number"),
    ts: text("ts") ?? "",
    traceId: text("traceId") ?? "",
    requestId: text("requestId") ?? "",
    // The server writes "1.0", which is kept as it is spelt elsewhere.
    durationMs: Number(value["durationMs"] instanceof Object && "raw" in value["durationMs"] ? value["durationMs"].raw : value["durationMs"]) || 0,
    route: text("route") ?? "",
    method: text("method"),
    tool: tool?.startsWith(TOOL) ? tool.slice(TOOL.length) : tool,
    status: number("status"),
    code: text("canonicalCode"),
    errors: isArray(value["errors"])
      ? value["errors"].filter(isObject).map(({ path, keyword }) => ({
          path: typeof path === "string" ? path : "",
          keyword: typeof keyword === "string" ? keyword : null,
        }))
      : [],
  };
}
