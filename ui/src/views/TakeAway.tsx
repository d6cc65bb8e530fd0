import { useCallback, useState } from "preact/hooks";
import { curlCommand } from "../curl";
import type { Parsed } from "../json/parse";
import { textAt } from "../json/print";
import { isArray } from "../json/value";
import { visibleName } from "../names";
import type { Answer, Api } from "../net/api";
import { textOrNull } from "../net/fields";
import { readObject } from "../net/read";
import { useLoad } from "../state/useLoad";
import { type TakenCall, canonicalFrame, mcpFrame, sdkCode, toolgaugeCode } from "../takeaway";
import { CopyButton } from "./CopyButton";
import { LongText } from "./LongText";
import { Notice } from "./Notice";
import { Button } from "./buttons";

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
export function TakeAway(props: Props) {
  const [chosen, setChosen] = useState("curl");
  const { api, tool, text, parsed, mcpPath, needsToken } = props;
  const ask = useCallback((signal: AbortSignal) => api.formats(tool, signal), [api, tool]);
  const formats = useLoad(ask, readFormats);
  const format = formats.phase === "ready" ? formats.value.find(({ name }) => `tool ${name}` === chosen) : undefined;
  const kind = KINDS.find(({ id }) => id === chosen);
  const choice = (id: string, label: string) => (
    <Button key={id} aria-pressed={id === chosen} onClick={() => setChosen(id)}>{label}</Button>
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
        ) : <Notice title="The JSON is broken">Mend it first: this text would be wrong as well.</Notice>
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

/** A text to take away, and the button that copies it. */
export function Taken({ text, what, label = what, hint }: {
  readonly text: string;
  readonly what: string;
  readonly label?: string;
  readonly hint?: string;
}) {
  return (
    <>
      <LongText text={text} label={label} key={what} />
      <div class="take-foot">
        <CopyButton text={text} what={`the ${what}`} />
        {hint && <span class="hint-inline">{hint}</span>}
      </div>
    </>
  );
}

/** The tool in the words of each provider, in the server's own tokens. */
function readFormats(answer: Answer) {
  return readObject(answer, (value, root, body) => {
    if (!isArray(value["formats"])) return null;
    return value["formats"].flatMap((each, index) => {
      const [name, title] = [textOrNull(each, "name"), textOrNull(each, "title")];
      const tools = textAt(body, root, ["formats", index, "tools"]);
      return name === null || title === null || tools === null ? [] : [{ name, title: visibleName(title), text: tools }];
    });
  });
}
