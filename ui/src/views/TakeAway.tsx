import type { JSX } from "preact";
import { useCallback, useState } from "preact/hooks";
import { curlCommand } from "../curl";
import { type Parsed, parseJson } from "../json/parse";
import { prettyJson } from "../json/print";
import { visibleName } from "../names";
import type { Answer, Api } from "../net/api";
import { type Loaded, failedLoad } from "../net/read";
import { useLoad } from "../state/useLoad";
import { type TakenCall, canonicalFrame, mcpFrame, sdkCode, toolgaugeCode } from "../takeaway";
import { CopyButton } from "./CopyButton";
import { LongText } from "./LongText";
import { Notice } from "./Notice";

interface Props {
  readonly api: Api;
  readonly tool: string;
  readonly text: string;
  readonly parsed: Parsed;
  readonly mcpPath: string | null;
  readonly needsToken: boolean;
}

interface Kind {
  readonly id: string;
  readonly label: string;
  /** What the copy button and a screen reader call it. */
  readonly what: string;
  readonly hint: string;
  readonly make: (call: TakenCall) => string;
}

const KINDS: readonly Kind[] = [
  { id: "toolgauge", label: "Python, toolgauge", what: "Python code with toolgauge", hint: "Held against the contract before it is sent. It runs the tool.", make: toolgaugeCode },
  { id: "sdk", label: "Python, MCP SDK", what: "Python code with the MCP SDK", hint: "For the official SDK. It runs the tool.", make: sdkCode },
  { id: "mcp", label: "JSON-RPC, MCP", what: "MCP message", hint: "What an MCP client sends, over HTTP or a pipe.", make: mcpFrame },
  { id: "canonical", label: "JSON-RPC, /rpc", what: "canonical message", hint: "The canonical dialect, for POST /rpc and toolgauge stdio.", make: canonicalFrame },
];

/** The call in the editor, and the tool, in the words of other programs. */
export function TakeAway(props: Props): JSX.Element {
  const [chosen, setChosen] = useState("curl");
  const { api, tool, text, parsed, mcpPath, needsToken } = props;
  const ask = useCallback((signal: AbortSignal) => api.formats(tool, signal), [api, tool]);
  const formats = useLoad(ask, readFormats);
  const format = formats.phase === "ready" ? formats.value.find(({ name }) => `tool ${name}` === chosen) : undefined;
  const kind = KINDS.find(({ id }) => id === chosen);
  const choice = (id: string, label: string): JSX.Element => (
    <button type="button" key={id} class="small-button" aria-pressed={id === chosen} onClick={() => setChosen(id)}>
      {label}
    </button>
  );
  return (
    <div class="take">
      <div class="take-choices">
        <div role="group" aria-label="This call as">
          <span class="take-label">This call as</span>
          <span class="take-list">
            {choice("curl", "cURL")}
            {KINDS.map(({ id, label }) => choice(id, label))}
          </span>
        </div>
        <div role="group" aria-label="This tool for">
          <span class="take-label">This tool for</span>
          <span class="take-list">
            {formats.phase === "ready" && formats.value.map(({ name, title }) => choice(`tool ${name}`, title))}
            {formats.phase === "loading" && <span class="hint-inline">Loading…</span>}
            {formats.phase === "failed" && <span class="hint-inline">{formats.problem}</span>}
          </span>
        </div>
      </div>
      {format ? (
        <Taken text={format.text} what={`tool for ${format.title}`} hint="The list of tools of a request, with this one in it." />
      ) : kind ? (
        parsed.ok ? (
          <Taken
            text={kind.make({
              tool,
              arguments: parsed.root,
              text,
              mcpUrl: mcpPath === null ? null : api.base + mcpPath,
              needsToken,
            })}
            what={kind.what}
            hint={kind.hint}
          />
        ) : (
          <Notice title="The JSON is broken">Mend it first: this text would be wrong as well.</Notice>
        )
      ) : (
        <Taken
          text={curlCommand({ base: api.base, tool, body: text, needsToken })}
          what="cURL command"
          hint={parsed.ok ? "For a POSIX shell. It runs the tool." : "The JSON is broken: the server will refuse this call."}
        />
      )}
    </div>
  );
}

function Taken({ text, what, hint }: { readonly text: string; readonly what: string; readonly hint: string }): JSX.Element {
  return (
    <>
      <LongText text={text} label={what} key={what} />
      <div class="take-foot">
        <CopyButton text={text} what={`the ${what}`} />
        <span class="hint-inline">{hint}</span>
      </div>
    </>
  );
}

interface FormatText {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

function readFormats(answer: Answer): Loaded<readonly FormatText[]> {
  const parsed = parseJson(answer.body);
  if (answer.status !== 200 || !parsed.ok || parsed.root.kind !== "object") return failedLoad(answer);
  const list = parsed.root.members.find(({ key }) => key === "formats")?.value;
  if (list?.kind !== "array") return failedLoad(answer);
  return {
    value: list.items.flatMap((item) => {
      if (item.kind !== "object") return [];
      const of = (key: string) => item.members.find((each) => each.key === key)?.value;
      const [name, title, tools] = [of("name"), of("title"), of("tools")];
      if (name?.kind !== "string" || title?.kind !== "string" || !tools) return [];
      return [{ name: name.value, title: visibleName(title.value), text: prettyJson(answer.body.slice(tools.from, tools.to)) }];
    }),
  };
}
