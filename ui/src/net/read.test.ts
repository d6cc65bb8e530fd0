import { expect, test } from "vitest";
import type { Answer } from "./api";
import { readOutcome } from "./outcome";
import { readDetail, readList, readVerdict } from "./read";

function answer(body: unknown, status = 200, retryAfterS: number | null = null): Answer {
  return { status, body: typeof body === "string" ? body : JSON.stringify(body), retryAfterS, durationMs: 1 };
}

test("a list keeps only what it can trust", () => {
  expect(readList(answer([{ name: "a", description: "A", annotations: { readOnlyHint: true, destructiveHint: "x" } }, 5, {}]))).toEqual({
    value: [
      { name: "a", description: "A", annotations: { readOnlyHint: true } },
      { name: "", description: "", annotations: {} },
    ],
  });
  expect(readList(answer("<html>"))).toMatchObject({ problem: expect.stringContaining("not a list") as string });
  expect(readList(answer({ error: "Internal error" }, 500))).toEqual({ problem: "Internal error", status: 500 });
});

test("a detail keeps the schema's own numbers", () => {
  const loaded = readDetail(answer('{"name": "t", "inputSchema": {"const": 1.0}}'));
  expect(loaded).toMatchObject({ value: { input: { text: '{\n  "const": 1.0\n}' }, output: null } });
});

test("a verdict is valid, invalid with issues, or unknown", () => {
  expect(readVerdict(answer({ valid: true }))).toEqual({ kind: "valid" });
  const errors = [{ path: "/a", message: "m", keyword: "anyOf", hint: "h", causes: [{ path: "/a/b", message: "c" }] }];
  expect(readVerdict(answer({ valid: false, errors }))).toEqual({
    kind: "invalid",
    issues: [
      {
        path: "/a", message: "m", keyword: "anyOf", hint: "h",
        causes: [{ path: "/a/b", message: "c", keyword: null, hint: null, causes: [] }],
      },
    ],
  });
  expect(readVerdict(answer({ error: "Request body too large" }, 413)).kind).toBe("unknown");
  expect(readVerdict(answer("oops", 200)).kind).toBe("unknown");
  expect(readVerdict(answer({ valid: false }, 200)).kind).toBe("unknown");
});

test("an outcome is read from the status and the shape", () => {
  expect(readOutcome(answer({ error: "Unauthorized" }, 401))).toEqual({ kind: "unauthorized" });
  expect(readOutcome(answer({ error: "Tool execution is disabled." }, 403))).toEqual({
    kind: "disabled", reason: "Tool execution is disabled.",
  });
  expect(readOutcome(answer({ error: "x" }, 503, 2))).toEqual({ kind: "busy", retryAfterS: 2 });
  expect(readOutcome(answer({ valid: false, errors: [{ path: "", message: "m" }] }, 400)).kind).toBe("invalid");
  expect(readOutcome(answer({ error: "gone" }, 404))).toEqual({ kind: "refused", reason: "gone" });
  expect(readOutcome(answer({ content: [], isError: true }, 500))).toMatchObject({ kind: "result", isError: true });
});

test("blocks of each kind", () => {
  const content = [
    { type: "text", text: "t" },
    { type: "image", mimeType: "image/png", data: "QUJD" },
    { type: "audio", mimeType: "audio/wav", data: "QUJD" },
    { type: "resource_link", uri: "file:///x", name: "x" },
    { type: "resource", resource: {} },
    "odd",
  ];
  const outcome = readOutcome(answer({ content, structuredContent: { n: 1 }, _meta: { _trace_id: "tr" } }));
  expect(outcome).toMatchObject({ traceId: "tr", structured: '{\n  "n": 1\n}' });
  expect(outcome.kind === "result" && outcome.blocks.map(({ kind }) => kind)).toEqual([
    "text", "image", "audio", "link", "other", "other",
  ]);
});

test("only true pictures become pictures", () => {
  for (const [mimeType, data] of [
    ["text/html", "QUJD"], ["image/png,<script>", "QUJD"], ["image/svg+xml;charset=x", "QUJD"], ["image/png", "<svg>"], [null, "QUJD"],
  ]) {
    const outcome = readOutcome(answer({ content: [{ type: "image", mimeType, data }] }));
    expect(outcome).toMatchObject({ blocks: [{ kind: "other" }] });
  }
});
