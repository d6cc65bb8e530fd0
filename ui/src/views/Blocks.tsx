import type { JSX } from "preact";
import type { Block } from "../net/outcome";
import { prettyJson } from "../json/print";
import { CopyButton } from "./CopyButton";
import { LongText } from "./LongText";

/** Characters; above it laying out takes longer than anyone wants to wait. */
const LAY_OUT_LIMIT = 500_000;

export function Blocks({ blocks }: { readonly blocks: readonly Block[] }): JSX.Element {
  if (blocks.length === 0) return <p class="hint">The tool answered without content.</p>;
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} label={`Content ${index + 1}`} />
      ))}
    </>
  );
}

function BlockView({ block, label }: { readonly block: Block; readonly label: string }): JSX.Element {
  switch (block.kind) {
    case "text": {
      const laidOut = layOut(block.text);
      return (
        <Framed type={laidOut === null ? "text" : "text, laid out as JSON"} text={block.text}>
          <LongText text={laidOut ?? block.text} label={label} />
        </Framed>
      );
    }
    case "image":
      return (
        <Framed type={block.mimeType}>
          <img class="picture" src={block.url} alt={`${label}, ${block.mimeType}`} />
        </Framed>
      );
    case "audio":
      return (
        <Framed type={block.mimeType}>
          <audio class="sound" controls src={block.url} aria-label={label} />
        </Framed>
      );
    case "link":
      return (
        <Framed type="resource link" text={block.uri}>
          <p class="resource" dir="auto">
            <strong>{block.name}</strong> <code>{block.uri}</code>
            {block.description && <span class="resource-text">{block.description}</span>}
          </p>
        </Framed>
      );
    case "other":
      return (
        <Framed type={block.type} text={block.json}>
          <LongText text={block.json} label={label} />
        </Framed>
      );
  }
}

/** Many tools put JSON into text; the raw view and the copy keep it as it came. */
function layOut(text: string): string | null {
  if (!/^\s*[{[]/.test(text) || text.length > LAY_OUT_LIMIT) return null;
  const laidOut = prettyJson(text);
  return laidOut === text ? null : laidOut;
}

function Framed({
  type,
  text,
  children,
}: {
  readonly type: string;
  readonly text?: string;
  readonly children: JSX.Element;
}): JSX.Element {
  return (
    <div class="block">
      <div class="block-head">
        <span class="block-type">{type}</span>
        {text !== undefined && <CopyButton text={text} what={`the ${type}`} />}
      </div>
      {children}
    </div>
  );
}
