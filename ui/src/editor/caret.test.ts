import { expect, test } from "vitest";
import { caretIn } from "./caret";

/** `|` marks the caret. */
function at(marked: string): string {
  const place = marked.indexOf("|");
  const text = marked.slice(0, place) + marked.slice(place + 1);
  const caret = caretIn(text, place);
  if (!caret) return "nothing";
  const keys = caret.slot === "key" ? ` has ${[...caret.keys].join()}` : "";
  return `${caret.slot} /${caret.path.join("/")} «${text.slice(caret.from, caret.to)}»${keys}`;
}

test("a key is typed where an object wants one", () => {
  expect(at("{|}")).toBe("key / «» has ");
  expect(at('{"|"}')).toBe('key / «""» has ');
  expect(at('{"ci|"}')).toBe('key / «"ci"» has ');
  expect(at('{"ci|')).toBe('key / «"ci» has ');
  expect(at("{ci|}")).toBe("key / «ci» has ");
  expect(at('{"a": 1, |')).toBe("key / «» has a");
  expect(at('{"a": 1, "|", "b": {"c": 1}, "d": [1, {"e": 2}]}')).toBe('key / «""» has a,b,d');
  expect(at('{"a": [{"x": 1}, {"|"}]}')).toBe('key /a/1 «""» has ');
  expect(at('{"a\\"b": {|')).toBe('key /a"b «» has ');
});

test("a value is typed behind a colon and in a list", () => {
  expect(at('{"a": |}')).toBe("value /a «»");
  expect(at('{"a": "x|"}')).toBe('value /a «"x"»');
  expect(at('{"a": tr|}')).toBe("value /a «tr»");
  expect(at('{"a": [1, |]}')).toBe("value /a/1 «»");
  expect(at("[[], |")).toBe("value /1 «»");
  expect(at("|")).toBe("value / «»");
  expect(at('{"a": {"b": |')).toBe("value /a/b «»");
});

test("nothing is typed where a comma or a colon is due", () => {
  expect(at('{"a": 1 |}')).toBe("nothing");
  expect(at('{"a" |')).toBe("nothing");
  expect(at('{"a": "x" |}')).toBe("nothing");
  expect(at("{} |")).toBe("nothing");
  expect(at("[1] |")).toBe("nothing");
});

test("broken text and long text do no harm", () => {
  expect(at("}}]] |")).toBe("nothing");
  expect(at("}}, |")).toBe("value / «»");
  expect(at('{"a": "unclosed\n, |')).not.toBe("");
  expect(caretIn(" ".repeat(400_000), 10)).toBeNull();
  expect(at(`${"[".repeat(5_000)}|`)).toContain("value");
});
