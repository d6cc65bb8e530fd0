import { describe, expect, test } from "vitest";
import { parseJson } from "./parse";

function problem(text: string): string {
  const parsed = parseJson(text);
  return parsed.ok ? "no problem" : `${parsed.problem.from}-${parsed.problem.to} ${parsed.problem.message}`;
}

describe("parseJson", () => {
  test("agrees with JSON.parse on what is JSON", () => {
    const good = ["{}", " [1, -0.5e+3, \"\\u00e9\\n\"] ", "null", "true", '"x"', '{"a":{"b":[]}}', "0", "\t1\r\n"];
    const bad = [
      "", " ", "{", "[1,]", '{"a":1,}', "{a:1}", "'x'", "01", "1.", ".5", "+1", "NaN", "Infinity", "1 2",
      '"\\x"', '"\\u12g4"', '"a\nb"', "[1 2]", '{"a" 1}', '{"a":}', "tru", "nullx", "\ufeff{}", "\u00a01", "// x",
    ];
    for (const text of good) {
      expect(() => JSON.parse(text) as unknown).not.toThrow();
      expect(problem(text), text).toBe("no problem");
    }
    for (const text of bad) {
      expect(() => JSON.parse(text) as unknown, text).toThrow();
      expect(problem(text), text).not.toBe("no problem");
    }
  });

  test("keeps the spelling of numbers and the place of each value", () => {
    const parsed = parseJson('{"n": 12345678901234567890, "x": 1.0}');
    expect(parsed).toMatchObject({
      ok: true,
      root: {
        members: [
          { key: "n", keySpan: { from: 1, to: 4 }, value: { raw: "12345678901234567890", from: 6, to: 26 } },
          { key: "x", value: { raw: "1.0" } },
        ],
      },
    });
  });

  test("keeps repeated keys", () => {
    const parsed = parseJson('{"a": 1, "a": 2}');
    expect(parsed.ok && parsed.root.kind === "object" && parsed.root.members.length).toBe(2);
  });

  test("points at the place that is wrong", () => {
    expect(problem('{"a": 1,}')).toMatch(/^8-9 A comma may not stand/);
    expect(problem('{"city": "Oslo" "days": 1}')).toMatch(/^16-17 A comma or a closing brace/);
    expect(problem('{"a": tru}')).toMatch(/^6-9 This word/);
    expect(problem('{"a": "x')).toMatch(/^6-8 This string is not closed/);
    expect(problem("")).toMatch(/^0-0 /);
    expect(problem("{} x")).toMatch(/^3-4 Nothing may follow/);
  });

  test("refuses absurd nesting instead of overflowing the stack", () => {
    expect(problem("[".repeat(100_000))).toMatch(/levels deep/);
  });
});
