import type { JsonNode } from "./json/parse";
import { withoutDeception } from "./names";

/** A call, and where its server is. */
export interface TakenCall {
  readonly tool: string;
  readonly arguments: JsonNode;
  /** What `arguments` was read from. */
  readonly text: string;
  /** Absolute; `null` where the server speaks no MCP. */
  readonly mcpUrl: string | null;
  readonly needsToken: boolean;
}

/** Stands where the server offers no MCP endpoint, so that the reader knows what to fill in. */
const NO_MCP = "http://127.0.0.1:8642/mcp";
const TOKEN = `{"Authorization": f"Bearer {os.environ['TOOLGAUGE_TOKEN']}"}`;

/** The call through `toolgauge`: held against the tool's contract before it is sent, and after. */
export function toolgaugeCode(call: TakenCall): string {
  const headers = call.needsToken ? `, headers=${TOKEN}` : "";
  return [
    "# pip install 'toolgauge[mcp]'",
    ...imports(call),
    "",
    "from toolgauge import Gate",
    "from toolgauge.upstream import open_source, parse_source",
    "",
    `ARGUMENTS = ${pythonLiteral(call.arguments)}`,
    "",
    "",
    "async def main() -> None:",
    ...noMcp(call),
    `    source = parse_source([${url(call)}])`,
    `    async with open_source(source${headers}) as upstream:`,
    "        gate = Gate(upstream.tools, upstream.handle_call)",
    `        result = await gate.call(${pythonText(call.tool)}, ARGUMENTS)`,
    "        print(result)",
    "",
    "",
    "asyncio.run(main())",
  ].join("\n");
}

/** The call through the official SDK. */
export function sdkCode(call: TakenCall): string {
  const client = call.needsToken ? `, http_client=create_mcp_http_client(headers=${TOKEN})` : "";
  return [
    "# pip install 'mcp>=2'",
    ...imports(call),
    "",
    "from mcp import ClientSession",
    call.needsToken
      ? "from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client"
      : "from mcp.client.streamable_http import streamable_http_client",
    "",
    `ARGUMENTS = ${pythonLiteral(call.arguments)}`,
    "",
    "",
    "async def main() -> None:",
    ...noMcp(call),
    `    async with streamable_http_client(${url(call)}${client}) as (read, write, *_):`,
    "        async with ClientSession(read, write) as session:",
    "            await session.initialize()",
    `            print(await session.call_tool(${pythonText(call.tool)}, ARGUMENTS))`,
    "",
    "",
    "asyncio.run(main())",
  ].join("\n");
}

/** The message that an MCP client sends. */
export function mcpFrame(call: TakenCall): string {
  return frame(`"name": ${jsonText(call.tool)},\n    "arguments": `, call);
}

/** The message of the canonical dialect, for `POST /rpc` and `toolgauge stdio`. */
export function canonicalFrame(call: TakenCall): string {
  return frame(`"tool": ${jsonText(`mcp.tool:${call.tool}`)},\n    "input": `, call);
}

function frame(before: string, call: TakenCall): string {
  // The arguments' own tokens: no number in them is respelt.
  const own = call.text.slice(call.arguments.from, call.arguments.to);
  const lines = ['{', '  "jsonrpc": "2.0",', '  "id": 1,', '  "method": "tools/call",', '  "params": {'];
  return `${lines.join("\n")}\n    ${before}${own.replaceAll("\n", "\n    ")}\n  }\n}`;
}

function imports({ needsToken }: TakenCall): readonly string[] {
  return needsToken ? ["import asyncio", "import os"] : ["import asyncio"];
}

function noMcp({ mcpUrl }: TakenCall): readonly string[] {
  return mcpUrl === null
    ? ["    # This page's server offers no /mcp: `toolgauge serve` does. Put its address here."]
    : [];
}

function url({ mcpUrl }: TakenCall): string {
  return pythonText(mcpUrl ?? NO_MCP);
}

/** A JSON value as Python writes it; numbers keep their spelling. */
export function pythonLiteral(node: JsonNode, indent = ""): string {
  const inner = `${indent}    `;
  switch (node.kind) {
    case "object":
      if (node.members.length === 0) return "{}";
      return `{\n${node.members
        .map(({ key, value }) => `${inner}${pythonText(key)}: ${pythonLiteral(value, inner)},\n`)
        .join("")}${indent}}`;
    case "array":
      if (node.items.length === 0) return "[]";
      return `[\n${node.items.map((item) => `${inner}${pythonLiteral(item, inner)},\n`).join("")}${indent}]`;
    case "string":
      return pythonText(node.value);
    case "number":
      return pythonNumber(node.raw);
    case "boolean":
      return node.value ? "True" : "False";
    case "null":
      return "None";
  }
}

/** What is too large for a float is written as the whole number that it is: Python would read `1e400` as infinity. */
function pythonNumber(raw: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] = /^(-?)(\d+)(?:\.(\d+))?[eE]\+?(\d+)$/.exec(raw) ?? [];
  const zeros = Number(power) - fraction.length;
  if (Number.isFinite(Number(raw)) || whole === "" || zeros < 0) return raw;
  return `${sign}${BigInt(whole + fraction)} * 10**${zeros}`;
}

/** JSON's escapes mean the same in Python, but for pairs of surrogates, which JSON.stringify never makes. */
function pythonText(text: string): string {
  return jsonText(text);
}

/** As JSON, without what would turn round the code that follows it, or hide in it. */
function jsonText(text: string): string {
  return withoutDeception(JSON.stringify(text));
}
