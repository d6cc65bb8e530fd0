/** What the server wrote into the page. */
export type Config = ReturnType<typeof readConfig>;

/** Read the block; anything missing or of the wrong type gets its default. */
export function readConfig(text: string) {
  const given = parsed(text);
  const string = (key: string): string | null => {
    const value = given[key];
    return typeof value === "string" && value !== "" ? value : null;
  };
  return {
    title: string("title") ?? "toolgauge",
    allowExecute: given["allowExecute"] === true,
    projectName: string("projectName"),
    projectUrl: string("projectUrl"),
    version: string("version"),
    /** Whether the server shows its contract log. */
    hasLog: given["log"] === true,
    /** Where the same tools are served over MCP, relative to the page; `null` where they are not. */
    mcpPath: string("mcpPath"),
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // A page opened from disk or a broken server: the defaults still make a page.
    return {};
  }
}

/**
 * The target of a link that may be followed, or `null`.
 *
 * Only http, https, mailto and paths of this server: `javascript:` and its like
 * would run code, and "//host" or "/\\host" only looks like a path.
 */
export function safeLink(url: string | null): string | null {
  if (url === null) return null;
  if (/^\/(?![/\\])/.test(url)) return /[\t\n\r]/.test(url) ? null : url;
  try {
    return ["http:", "https:", "mailto:"].includes(new URL(url).protocol) ? url : null;
  } catch {
    return null;
  }
}
