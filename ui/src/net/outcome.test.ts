import { expect, test } from "vitest";
import { readOutcome } from "./outcome";

function outcomeOf(body: string) {
  return readOutcome({ status: 200, body, retryAfterS: null, durationMs: 1 });
}

test("structured content is what was sent: keys in their order, all of them, numbers as spelt", () => {
  const body = '{"content": [], "structuredContent": {"z": 1.0, "10": 2, "2": 3, "z": 12345678901234567890}}';
  expect(outcomeOf(body)).toMatchObject({
    structured: '{\n  "z": 1.0,\n  "10": 2,\n  "2": 3,\n  "z": 12345678901234567890\n}',
  });
  expect(outcomeOf('{"content": [], "structuredContent": null}')).toMatchObject({ structured: "null" });
  expect(outcomeOf('{"content": []}')).toMatchObject({ structured: null });
});

test("so is a part of a kind that nobody knows", () => {
  const body = '{"content": [{"type": "text", "text": "t"}, {"type": "new", "10": 1, "2": 1.0}]}';
  expect(outcomeOf(body)).toMatchObject({
    blocks: [{ kind: "text" }, { kind: "other", type: "new", json: '{\n  "type": "new",\n  "10": 1,\n  "2": 1.0\n}' }],
  });
});
