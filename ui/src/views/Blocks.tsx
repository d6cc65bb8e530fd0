import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { safeLink } from "../config";
import { parseJson } from "../json/parse";
import { visibleText } from "../names";
import type { Block, Embedded } from "../net/outcome";
import { CopyButton } from "./CopyButton";
import { JsonView, useTreeSwitch } from "./JsonView";
import { LongText } from "./LongText";
import { Button } from "./buttons";

/** Characters; a longer JSON text begins as a tree. */
const TREE_FROM = 4_000;
/** Characters; reading more as JSON would keep the page waiting. */
const READ_LIMIT = 2_000_000;
/** Blocks at once; nobody reads more, and the raw view has them all. */
const MAX_BLOCKS = 50;

export function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  if (blocks.length === 0) return <p class="hint">The tool answered without content.</p>;
  return (
    <>
      {blocks.slice(0, MAX_BLOCKS).map((block, index) => (
        <BlockView key={index} block={block} label={`Content ${index + 1}`} />
      ))}
      {blocks.length > MAX_BLOCKS && (
        <p class="cut">
          The first {MAX_BLOCKS} of {blocks.length.toLocaleString("en")} parts. The raw view has them all.
        </p>
      )}
    </>
  );
}

function BlockView({ block, label }: { readonly block: Block; readonly label: string }) {
  switch (block.kind) {
    case "text":
      return <TextBlock text={block.text} type="text" label={label} />;
    case "image":
    case "audio":
      return (
        <Framed type={block.mimeType}>
          <Media kind={block.kind} url={block.url} label={`${label}, ${block.mimeType}`} />
        </Framed>
      );
    case "link":
      return (
        <Framed type="resource link" aside={<CopyButton text={block.uri} what="the resource link" />}>
          <p class="resource">
            <strong dir="auto">{visibleText(block.name)}</strong> <Uri uri={block.uri} />
            {block.description && <span class="resource-text" dir="auto">{visibleText(block.description)}</span>}
          </p>
        </Framed>
      );
    case "embedded":
      return <EmbeddedBlock block={block} label={label} />;
    case "other":
      return <TextBlock text={block.json} type={block.type} label={label} />;
  }
}

/** Many tools put JSON into text; the raw view and the copy keep it as it came. */
function TextBlock({ text, type, label, head }: {
  readonly text: string;
  readonly type: string;
  readonly label: string;
  readonly head?: ComponentChildren;
}) {
  const isJson = useMemo(() => /^\s*[{[]/.test(text) && text.length <= READ_LIMIT && parseJson(text).ok, [text]);
  const { isTree, button } = useTreeSwitch(isJson && text.length > TREE_FROM);
  return (
    <Framed
      type={isJson && type === "text" ? "text, JSON" : type}
      head={head}
      aside={
        <>
          {isJson && button}
          <CopyButton text={text} what={`the ${type}`} />
        </>
      }
    >
      {isJson ? <JsonView text={text} label={label} isTree={isTree} /> : <LongText text={text} label={label} />}
    </Framed>
  );
}

function EmbeddedBlock({ block, label }: { readonly block: Embedded; readonly label: string }) {
  const type = `resource${block.mimeType ? `, ${block.mimeType}` : ""}`;
  const head = <p class="resource-head"><Uri uri={block.uri} /></p>;
  if (block.text !== null) return <TextBlock text={block.text} type={type} label={label} head={head} />;
  const { data, media } = block;
  return (
    <Framed type={type} head={head} aside={data !== null && <SaveButton data={data} uri={block.uri} />}>
      {media ? <Media kind={media.kind} url={media.url} label={`${label}, ${block.mimeType}`} /> : (
        <p class="resource">
          {data === null ? "What it holds is no base64." : `${byteCount(data).toLocaleString("en")} bytes`}
        </p>
      )}
    </Framed>
  );
}

function Media({ kind, url, label }: {
  readonly kind: "image" | "audio";
  readonly url: string;
  readonly label: string;
}) {
  // As a picture, SVG runs no scripts and loads nothing.
  if (kind === "image") return <img class="picture" src={url} alt={label} />;
  return <audio class="sound" controls src={url} aria-label={label} />;
}

/** A link only where following it can do no harm. */
function Uri({ uri }: { readonly uri: string }) {
  const href = /^https?:/i.test(uri) ? safeLink(uri) : null;
  const shown = <code dir="auto">{visibleText(uri)}</code>;
  if (href === null) return shown;
  return <a href={href} target="_blank" rel="noopener noreferrer">{shown}</a>;
}

function SaveButton({ data, uri }: { readonly data: string; readonly uri: string }) {
  const save = (): void => {
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
    // Without a type of its own: a browser must not think of showing it.
    const url = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = fileName(uri);
    link.click();
    URL.revokeObjectURL(url);
  };
  return <Button onClick={save}>Save</Button>;
}

function fileName(uri: string): string {
  const last = uri.split(/[?#]/, 1)[0]?.split(/[/\\]/).at(-1) ?? "";
  const plain = last.replace(/[^\w.-]/g, "_").replace(/^\.+/, "").slice(0, 80);
  return plain === "" ? "resource.bin" : plain;
}

function byteCount(data: string): number {
  return Math.floor((data.replace(/=+$/, "").length * 3) / 4);
}

/** One thing that came back, below its type and what can be done with it. */
export function Framed({ type, aside, head, children }: {
  readonly type: string;
  readonly aside?: ComponentChildren;
  readonly head?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="block">
      <div class="block-head">
        <span class="block-type">{visibleText(type)}</span>
        <span class="block-tools">{aside}</span>
      </div>
      {head}
      {children}
    </div>
  );
}
