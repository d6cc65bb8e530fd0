import { expect, test } from "vitest";
import { failuresBy, failuresByTool, percent, whatOf, type Kind, type Report } from "./data";
import { partsOf } from "./Example";
import { nameOf, seriesOf } from "./times";

const kind = (given: Partial<Kind>): Kind => ({
  tool: "t",
  verdict: "invalid",
  keyword: "type",
  path: "/a",
  count: 1,
  examples: [],
  ...given,
});

test("failures are put together by name, the most frequent first", () => {
  const kinds = [kind({ count: 2 }), kind({ keyword: "enum", count: 5 }), kind({ count: 4, path: "/b" })];
  expect(failuresBy(kinds, whatOf)).toEqual([
    { name: "type", count: 6 },
    { name: "enum", count: 5 },
  ]);
  expect(whatOf(kind({ verdict: "unknown_tool", keyword: null }))).toBe("unknown tool");
});

test("a tool without failures has no bar", () => {
  const report = { tools: { good: { valid: 9 }, bad: { valid: 1, wrong_shape: 2 } } };
  expect(failuresByTool(report as unknown as Report)).toEqual([{ name: "bad", count: 2, of: 3 }]);
});

test("a share that is not all never reads as all", () => {
  expect(percent(0, 10)).toBe("0.0 %");
  expect(percent(1, 1e6)).toBe("< 0.1 %");
  expect(percent(999_999, 1e6)).toBe("> 99.9 %");
  expect(percent(1, 3)).toBe("33.3 %");
  expect(percent(0, 0)).toBe("0.0 %");
});

test("hours without calls are there with nothing in them", () => {
  const series = seriesOf({
    "2026-03-01T00": { valid: 3, invalid: 1 },
    "2026-03-01T03": { valid: 1 },
    "(no time)": { valid: 7 },
  });
  expect(series.calls).toEqual([4, 0, 0, 1]);
  expect(series.failures).toEqual([1, 0, 0, 0]);
  expect(series.timeless).toBe(7);
  expect(nameOf(series.starts[0]!, series.step)).toBe("2026-03-01 00:00");
});

test("a long time is put into fewer buckets, and none is lost", () => {
  const times: Record<string, Record<string, number>> = {};
  for (let day = 1; day <= 28; day++)
    for (const month of ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"])
      times[`2024-${month}-${String(day).padStart(2, "0")}T05`] = { valid: 1, invalid: 1 };
  const series = seriesOf(times);
  expect(series.starts.length).toBeLessThanOrEqual(201);
  expect(series.failures.reduce((a, b) => a + b, 0)).toBe(336);
  expect(seriesOf({}).starts).toEqual([]);
});

test("the place is cut out by characters, not by UTF-16 units", () => {
  const text = '{"a": "😀", "b": 1}';
  const at = [...text].indexOf("1");
  expect(partsOf(text, [at, at + 1])).toEqual(['{"a": "😀", "b": ', "1", "}"]);
  expect(partsOf(text, null)).toEqual([text, null, ""]);
});
