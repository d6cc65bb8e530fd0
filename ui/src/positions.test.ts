import { describe, expect, test } from "vitest";
import { parseJson } from "./json/parse";
import { linesOf, placeOf, repeatedKeys } from "./positions";

function marked(text: string, pointer: string): string {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const { from, to, exists } = placeOf(parsed.root, pointer, text);
  return (exists ? "" : "missing, at ") + text.slice(from, to);
}

describe("placeOf", () => {
  test("a value is marked as a whole", () => {
    expect(marked('{"a": {"b": [1, "two"]}}', "/a/b/1")).toBe('"two"');
    expect(marked("5", "")).toBe("5");
  });

  test("a missing property is shown at its object's key or opening brace", () => {
    expect(marked('{"a": {"x": 1}}', "/a/b")).toBe('missing, at "a"');
    expect(marked("{}", "/city")).toBe("missing, at {");
    expect(marked('[{}]', "/0/city")).toBe("missing, at {");
    expect(marked('{"a": {}}', "/a/b/c/d")).toBe('missing, at "a"');
  });

  test("an object over several lines is marked at its key or brace only", () => {
    expect(marked('{\n"a": {\n"b": 1}}', "/a")).toBe('"a"');
    expect(marked('{\n"a": 1}', "")).toBe("{");
  });

  test("escapes: ~1 is a slash, ~0 a tilde, and \\u in the text is read", () => {
    expect(marked('{"a/b": 1, "m~n": 2, "": 3, "\\u0061": 4}', "/a~1b")).toBe("1");
    expect(marked('{"a/b": 1, "m~n": 2, "": 3}', "/m~0n")).toBe("2");
    expect(marked('{"a/b": 1, "m~n": 2, "": 3}', "/")).toBe("3");
    expect(marked('{"\\u0061": 4}', "/a")).toBe("4");
  });

  test("of repeated keys the last one counts", () => {
    expect(marked('{"a": 1, "a": 2}', "/a")).toBe("2");
  });

  test("numbers name members of objects and items of arrays", () => {
    expect(marked('{"0": "m"}', "/0")).toBe('"m"');
    expect(marked("[7, 8]", "/1")).toBe("8");
    expect(marked("[7, 8]", "/01")).toBe("missing, at [");
  });

  test("what is not a pointer means the whole value", () => {
    expect(marked("[1]", "nonsense")).toBe("[1]");
  });
});

test("repeated keys: all but the last, at every depth", () => {
  const parsed = parseJson('{"a": 1, "b": [{"c": 1, "c": 2}], "a": 3}');
  expect(parsed.ok && repeatedKeys(parsed.root).map(({ key, from }) => [key, from])).toEqual([
    ["a", 1],
    ["c", 16],
  ]);
});

test("lines and columns are counted from one", () => {
  const text = "ab\n\ncd\n".repeat(50);
  const at = linesOf(text);
  for (let offset = 0; offset <= text.length; offset++) {
    const before = text.slice(0, offset).split("\n");
    expect(at(offset)).toEqual({ line: before.length, column: (before.at(-1) ?? "").length + 1 });
  }
});
