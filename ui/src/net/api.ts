import { encodeName } from "../names";

export interface Annotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

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
  readonly durationMs: number;
}

/** The server cannot be reached: no status, no body. */
export class Unreachable extends Error {}

export interface Api {
  /** Absolute, with a slash at the end. */
  readonly base: string;
  list(signal: AbortSignal): Promise<Answer>;
  detail(name: string, signal: AbortSignal): Promise<Answer>;
  validate(name: string, body: string, signal: AbortSignal): Promise<Answer>;
  call(name: string, body: string, token: string | null, signal: AbortSignal): Promise<Answer>;
}

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

/** The five routes. An abort rejects with the browser's own `AbortError`. */
export function createApi(base: string, send: typeof fetch = fetch.bind(globalThis)): Api {
  const request = async (path: string, init: RequestInit): Promise<Answer> => {
    const started = performance.now();
    try {
      const response = await send(base + path, { ...init, cache: "no-store" });
      const body = await response.text();
      const retryAfter = Number(response.headers.get("retry-after") ?? NaN);
      return {
        status: response.status,
        body,
        retryAfterS: Number.isFinite(retryAfter) ? retryAfter : null,
        durationMs: performance.now() - started,
      };
    } catch (error) {
      if (isAbort(error)) throw error;
      throw new Unreachable("The server cannot be reached.", { cause: error });
    }
  };
  const path = (name: string): string => `tools/${encodeName(name) ?? ""}`;
  const post = (url: string, body: string, signal: AbortSignal, token: string | null = null) =>
    request(url, {
      method: "POST",
      body,
      signal,
      headers: {
        "Content-Type": "application/json",
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      },
    });
  return {
    base,
    list: (signal) => request("tools", { signal }),
    detail: (name, signal) => request(path(name), { signal }),
    validate: (name, body, signal) => post(`${path(name)}/validate`, body, signal),
    call: (name, body, token, signal) => post(`${path(name)}/call`, body, signal, token),
  };
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
