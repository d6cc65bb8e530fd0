import { expect, test } from "vitest";
import { holdsSecret, maskSecret } from "./secret";

test("a secret is found however JSON writes it", () => {
  expect(holdsSecret('{"a": "x sesame y"}', "sesame")).toBe(true);
  expect(holdsSecret('{"a": "\\u0073esame"}', "sesame")).toBe(true);
  expect(holdsSecret('{"se\\u0073ame": 1}', "sesame")).toBe(true);
  expect(holdsSecret('["a\\"bcdef"]', 'a"bcdef')).toBe(true);
  expect(holdsSecret("{broken sesame", "sesame")).toBe(true);
  expect(holdsSecret('{"a": "simsim"}', "sesame")).toBe(false);
});

test("it is masked in string values, and the rest stays as it was written", () => {
  expect(maskSecret('{ "n": 1.0,  "a": "Bearer \\u0073esame!", "b": ["sesame"] }', "sesame")).toBe(
    '{ "n": 1.0,  "a": "Bearer [token]!", "b": ["[token]"] }',
  );
  expect(maskSecret("not JSON: sesame", "sesame")).toBe("not JSON: [token]");
  expect(maskSecret('{"a": 1.0}', "sesame")).toBe('{"a": 1.0}');
});

test("where it cannot be told apart nothing is kept", () => {
  expect(maskSecret('{"sesame": 1}', "sesame")).toBeNull();
  expect(maskSecret('{"n": 12345678}', "123456")).toBeNull();
  expect(maskSecret('{"a": "at"}', "t")).toBeNull();
  expect(maskSecret('{"a": "x"}', "t")).toBe('{"a": "x"}');
  // The mask itself must not say it.
  expect(maskSecret('{"a": "[token"}', "[token")).toBeNull();
});
