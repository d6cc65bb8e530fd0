import { expect, test } from "vitest";
import { Unreachable, baseOf, createApi, isSendable } from "./api";

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Record<string, string>;
}

function fake(response: Response | Error) {
  const sent: Sent[] = [];
  const send = ((url: string, init: RequestInit) => {
    sent.push({ url, init, headers: Object.fromEntries(new Headers(init.headers)) });
    return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
  }) as typeof fetch;
  return { sent, api: createApi("http://h/explorer/", send) };
}

const signal = new AbortController().signal;

test("the base is the page's own folder, with or without a slash", () => {
  expect(baseOf({ origin: "http://h", pathname: "/explorer" })).toBe("http://h/explorer/");
  expect(baseOf({ origin: "http://h", pathname: "/proxy/explorer/" })).toBe("http://h/proxy/explorer/");
  expect(baseOf({ origin: "http://h", pathname: "/" })).toBe("http://h/");
});

test("names are one encoded segment", async () => {
  const { api, sent } = fake(new Response("{}"));
  await api.detail("a/b?#%", signal);
  expect(sent[0]?.url).toBe("http://h/explorer/tools/a%2Fb%3F%23%25");
});

test("the body is sent as typed and the token in a header only", async () => {
  const { api, sent } = fake(new Response("{}"));
  await api.call("t", '{"n": 12345678901234567890, "x": 1.0}', "secret", signal);
  expect(sent[0]).toMatchObject({
    url: "http://h/explorer/tools/t/call",
    init: {
      method: "POST",
      body: '{"n": 12345678901234567890, "x": 1.0}',
    },
    headers: { "content-type": "application/json", authorization: "Bearer secret" },
  });
});

test("validation carries no token", async () => {
  const { api, sent } = fake(new Response("{}"));
  await api.validate("t", "{}", signal);
  expect(sent[0]?.headers).toEqual({ "content-type": "application/json" });
});

test("Retry-After is read as seconds", async () => {
  const { api } = fake(new Response("{}", { status: 503, headers: { "retry-after": "2" } }));
  expect(await api.call("t", "{}", null, signal)).toMatchObject({ status: 503, retryAfterS: 2 });
});

test("no answer is Unreachable, an abort stays an abort", async () => {
  await expect(fake(new TypeError("failed")).api.list(signal)).rejects.toBeInstanceOf(Unreachable);
  const abort = new DOMException("stop", "AbortError");
  await expect(fake(abort).api.list(signal)).rejects.toBe(abort);
});

test("a token that no header can hold is no lost server", async () => {
  const { api, sent } = fake(new Response("{}"));
  for (const token of ["\u0142", "a\nb", "\ud83d\ude00"]) {
    expect(isSendable(token)).toBe(false);
    const refused: unknown = await api.call("t", "{}", token, signal).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TypeError);
    expect(refused).not.toBeInstanceOf(Unreachable);
  }
  expect(["abc", "\u00e9", "open sesame"].map(isSendable)).toEqual([true, true, true]);
  expect(sent).toEqual([]);
});
