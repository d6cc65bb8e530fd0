import { encodeName } from "../names";

/** What a tool says of itself. */
export const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

export type Annotations = Partial<Readonly<Record<(typeof HINTS)[number], boolean>>>;

export interface ToolSummary {
  readonly name: string;
  readonly description: string;
  readonly annotations?: Annotations;
}

/** An answer as it came: the body stays text, so that no number in it is changed. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** `Retry-After` in seconds, where the server sent a number. */
  readonly retryAfterS: number | null;
  /** `kept` where the server held the answer of a tool against its output schema. */
  readonly outputSchema?: string | null;
  readonly durationMs: number;
}

/** The server cannot be reached: no status, no body. */
export class Unreachable extends Error {}

export type Api = ReturnType<typeof createApi>;

/**
 * The address that every request starts from.
 *
 * Taken from the page and not from the server: behind a proxy that strips a
 * path only the browser knows the whole of it.
 */
export function baseOf(location: { readonly origin: string; readonly pathname: string }): string {
  const { origin, pathname } = location;
  return origin + (pathname.endsWith("/") ? pathname : `${pathname}/`);
}

/** The routes. An abort rejects with the browser's own `AbortError`. */
export function createApi(base: string, send: typeof fetch = fetch.bind(globalThis)) {
  const request = async (path: string, init: RequestInit): Promise<Answer> => {
    const started = performance.now();
    // Outside of what may fail on the way: a header that cannot be written is no lost server.
    const headers = new Headers(init.headers);
    try {
      const response = await send(base + path, { ...init, headers, cache: "no-store" });
      const body = await response.text();
      const retryAfter = Number(response.headers.get("retry-after") ?? NaN);
      return {
        status: response.status,
        body,
        retryAfterS: Number.isFinite(retryAfter) ? retryAfter : null,
        outputSchema: response.headers.get("toolgauge-output-schema"),
        durationMs: performance.now() - started,
      };
    } catch (error) {
      if (isAbort(error)) throw error;
      throw new Unreachable("The server cannot be reached.", { cause: error });
    }
  };
  const path = (name: string): string => `tools/${encodeName(name) ?? ""}`;
  const post = (url: string, body: string, signal: AbortSignal, more: Record<string, string> = {}) =>
    request(url, { method: "POST", body, signal, headers: { "Content-Type": "application/json", ...more } });
  const get = (url: string, signal: AbortSignal, headers: Record<string, string> = {}) => request(url, { signal, headers });
  return {
    /** Absolute, with a slash at the end. */
    base,
    list: (signal: AbortSignal) => get("tools", signal),
    detail: (name: string, signal: AbortSignal) => get(path(name), signal),
    validate: (name: string, body: string, signal: AbortSignal) => post(`${path(name)}/validate`, body, signal),
    /** `trace` is the caller's own span (W3C `traceparent`), under which the call is logged. */
    call: (name: string, body: string, token: string | null, signal: AbortSignal, trace?: string) =>
      post(`${path(name)}/call`, body, signal, { ...bearer(token), ...(trace === undefined ? {} : { traceparent: trace }) }),
    /** Every tool against every target. */
    matrix: (signal: AbortSignal) => get("targets", signal),
    /** One tool against every target. */
    targets: (name: string, signal: AbortSignal) => get(`${path(name)}/targets`, signal),
    /** One tool against one target, and what that would take instead. */
    target: (name: string, target: string, signal: AbortSignal) =>
      get(`${path(name)}/targets/${encodeName(target) ?? ""}`, signal),
    /** One tool as each provider's API writes it. */
    formats: (name: string, signal: AbortSignal) => get(`${path(name)}/formats`, signal),
    log: (after: number, token: string | null, signal: AbortSignal) => get(`log?after=${after}`, signal, bearer(token)),
  };
}

function bearer(token: string | null): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

/** Whether a token can stand in a header at all: one line of Latin-1, says the Fetch standard. */
export function isSendable(token: string): boolean {
  try {
    return new Headers(bearer(token)).has("Authorization");
  } catch {
    // The browser's own check; nothing of the token is to be seen anywhere.
    return false;
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
