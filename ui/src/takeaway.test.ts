import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { type JsonNode, parseJson } from "./json/parse";
import { readJson } from "./json/value";
import { type TakenCall, canonicalFrame, mcpFrame, pythonLiteral, sdkCode, toolgaugeCode } from "./takeaway";

function parsed(text: string): JsonNode {
  const found = parseJson(text);
  if (!found.ok) throw new Error(found.problem.message);
  return found.root;
}

function call(text: string, more: Partial<TakenCall> = {}): TakenCall {
  return { tool: "get_weather", arguments: parsed(text), text, mcpUrl: "http://h/mcp", needsToken: false, ...more };
}

/** What Python makes of some code. */
function python(code: string): string {
  return execFileSync("python3", ["-c", code], { encoding: "utf8", env: { ...process.env, PYTHONUTF8: "1" } }).trim();
}

const HOSTILE = [
  "{}",
  '{"a": [1, 1.0, 12345678901234567890, -0.0, 1E5, true, false, null, [], {}]}',
  String.raw`{"it's \"quoted\" \\ \/": "line\nbreak\ttab \u0000 \u007f é 🎉 \ud83d\ude00 \u202e ''' \"\"\" {x} %s $HOME"}`,
  '{"large": [1e400, -1.25E+310, 1e308, 0.5e309, 1e-400]}',
  '{"nested": {"deep": [{"a": "b"}]}}',
];

/** What is no float to Python must be the same number all the same. */
const NUMBER = [
  "import json, math",
  "from fractions import Fraction",
  "def number(text):",
  "    return float(text) if math.isfinite(float(text)) else int(Fraction(text))",
];

test("python reads every value as json does", () => {
  const told = HOSTILE.map(
    (text) => `value = ${pythonLiteral(parsed(text))}\nprint(repr(value) == repr(json.loads(${JSON.stringify(text)}, parse_float=number)))`,
  );
  expect(python([...NUMBER, ...told].join("\n")).split(/\s+/)).toEqual(HOSTILE.map(() => "True"));
});

test("the code is Python, whatever the names", () => {
  const tools = ["a/b", '"); import os; os.system("x', "\u202e\u2066", "é🎉", "a\nb"];
  const codes = tools.flatMap((tool) =>
    [true, false].flatMap((needsToken) =>
      ["http://h/it's/mcp", null].flatMap((mcpUrl) => {
        const given = call(HOSTILE[2] ?? "{}", { tool, needsToken, mcpUrl });
        return [toolgaugeCode(given), sdkCode(given)].map((code) => ({ tool, code }));
      }),
    ),
  );
  // All in one process: what each piece of code calls.
  const called = python(
    [
      "import ast, json",
      "def names(code):",
      "    calls = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Call)]",
      "    named = [n for n in calls if isinstance(n.func, ast.Attribute) and n.func.attr in ('call', 'call_tool')]",
      "    return [n.args[0].value for n in named]",
      `print(json.dumps([names(code) for code in ${JSON.stringify(codes.map(({ code }) => code))}]))`,
    ].join("\n"),
  );
  expect(JSON.parse(called)).toEqual(codes.map(({ tool }) => [tool]));
  for (const { code } of codes) expect(code).not.toMatch(/[\u202e\u2066]/);
});

test("a token is read from the environment and never written", () => {
  for (const code of [toolgaugeCode(call("{}", { needsToken: true })), sdkCode(call("{}", { needsToken: true }))]) {
    expect(code).toContain("os.environ['TOOLGAUGE_TOKEN']");
    expect(code).toContain("import os");
  }
});

test("frames hold the arguments token for token", () => {
  const text = '{\n  "n": 12345678901234567890,\n  "x": 1.0\n}';
  expect(mcpFrame(call(text))).toContain('"n": 12345678901234567890,');
  expect(readJson(mcpFrame(call('{"x": "y"}', { tool: 'a"b' })))).toEqual({
    jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: 'a"b', arguments: { x: "y" } },
  });
  expect(readJson(canonicalFrame(call(' {"x": "y"} ')))).toEqual({
    jsonrpc: "2.0", id: 1, method: "tools/call", params: { tool: "mcp.tool:get_weather", input: { x: "y" } },
  });
});

test("where there is no MCP the code says so", () => {
  expect(sdkCode(call("{}", { mcpUrl: null }))).toContain("offers no /mcp");
});
