import { encodeName } from "./names";
import { decoded, escapeToken } from "./pointer";

const PREFIX = "#/tools/";

/** What the address names. */
export type Place =
  | { readonly page: "list" }
  | ToolPlace
  | { readonly page: "targets" }
  | { readonly page: "log"; readonly trace: string | null };

export interface ToolPlace {
  readonly page: "tool";
  readonly name: string;
  readonly view: "try" | "targets";
  /** The target whose findings are open. */
  readonly target: string | null;
  /** A run of the history that is to be shown. */
  readonly run: string | null;
  /** What a line of the log said was wrong. */
  readonly faults: readonly Fault[];
}

export interface Fault {
  readonly path: string;
  readonly keyword: string | null;
}

/** Faults in one address; a line of the log may have more. */
const MAX_FAULTS = 8;

/** The part of the address that leads to a tool; the list where it has no URL. */
export function toolHash(name: string, more: Partial<Omit<ToolPlace, "page" | "name">> = {}): string {
  const segment = encodeName(name);
  if (segment === null) return "#/";
  const query = new URLSearchParams();
  if (more.view === "targets") query.set("view", "targets");
  if (more.target) query.set("target", more.target);
  if (more.run) query.set("run", more.run);
  for (const { path, keyword } of more.faults?.slice(0, MAX_FAULTS) ?? []) {
    query.append("fault", `${keyword ?? ""}@${path}`);
  }
  const text = query.toString();
  return PREFIX + segment + (text && `?${text}`);
}

export function logHash(trace: string | null = null): string {
  return trace === null ? "#/log" : `#/log?trace=${encodeURIComponent(trace)}`;
}

export function placeOf(hash: string): Place {
  const [path = "", query = ""] = split(hash);
  const given = new URLSearchParams(query);
  if (path === "#/targets") return { page: "targets" };
  if (path === "#/log") return { page: "log", trace: given.get("trace") };
  const name = toolOfHash(hash);
  if (name === null) return { page: "list" };
  return {
    page: "tool",
    name,
    view: given.get("view") === "targets" ? "targets" : "try",
    target: given.get("target"),
    run: given.get("run"),
    faults: given.getAll("fault").slice(0, MAX_FAULTS).map(readFault),
  };
}

/** The tool that an address names, or `null` for anything else. */
export function toolOfHash(hash: string): string | null {
  const [path = ""] = split(hash);
  if (!path.startsWith(PREFIX)) return null;
  const segment = path.slice(PREFIX.length);
  // With a stray "%" it is taken as it stands, and the server will say 404.
  return segment === "" ? null : decoded(segment);
}

/** A name's own "?" is encoded, so the first one begins the query. */
function split(hash: string): readonly string[] {
  const at = hash.indexOf("?");
  return at < 0 ? [hash] : [hash.slice(0, at), hash.slice(at + 1)];
}

function readFault(text: string): Fault {
  const at = text.indexOf("@");
  const keyword = text.slice(0, Math.max(at, 0));
  return { path: text.slice(at + 1), keyword: keyword === "" ? null : keyword };
}

/** Where in the arguments a line of the log points; the envelope around them is left away. */
export function inArguments(path: string): string | null {
  for (const before of [["params", "arguments"], ["params", "input"]]) {
    const prefix = before.map((each) => `/${escapeToken(each)}`).join("");
    if (path === prefix) return "";
    if (path.startsWith(`${prefix}/`)) return path.slice(prefix.length);
  }
  return null;
}
