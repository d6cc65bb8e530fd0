import type { Path } from "../json/edit";
import { type JsonNode, parseJson } from "../json/parse";
import { textAt } from "../json/print";
import { type JsonObject, type JsonValue, isArray, isObject, member, toValue } from "../json/value";
import type { Answer } from "./api";
import { text, textOrNull, textsOf } from "./fields";
import { type Issue, readIssues, reasonOf } from "./read";

/** What an answer of `/call` means to the person who pressed Execute. */
export type Outcome =
  | ResultOutcome
  | { readonly kind: "unauthorized" }
  | { readonly kind: "disabled"; readonly reason: string }
  | { readonly kind: "invalid"; readonly issues: readonly Issue[] }
  | { readonly kind: "busy"; readonly retryAfterS: number | null }
  | { readonly kind: "refused"; readonly reason: string };

export interface ResultOutcome {
  readonly kind: "result";
  readonly isError: boolean;
  readonly blocks: readonly Block[];
  /** As text, exact numbers kept. */
  readonly structured: string | null;
  readonly traceId: string | null;
  /** Whether the server held the answer against the tool's output schema, and it was kept. */
  readonly keepsSchema: boolean;
  /** Where the answer broke the output schema, so that it was not let out. */
  readonly breaches: readonly Issue[];
}

export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image" | "audio"; readonly url: string; readonly mimeType: string }
  | { readonly kind: "link"; readonly uri: string; readonly name: string; readonly description: string }
  | Embedded
  | { readonly kind: "other"; readonly type: string; readonly json: string };

export interface Embedded {
  readonly kind: "embedded";
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string | null;
  /** Base64, as it came; `null` for a text, and for what is no base64. */
  readonly data: string | null;
  /** For what a picture or a sound may be shown by. */
  readonly media: { readonly kind: "image" | "audio"; readonly url: string } | null;
}

export function readOutcome(answer: Answer): Outcome {
  const parsed = parseJson(answer.body);
  const value = parsed.ok ? toValue(parsed.root) : undefined;
  if (answer.status === 401) return { kind: "unauthorized" };
  if (answer.status === 503) return { kind: "busy", retryAfterS: answer.retryAfterS };
  if (answer.status === 403) return { kind: "disabled", reason: reasonOf(answer, value) };
  if (parsed.ok && isObject(value) && isArray(value["content"])) return result(value, value["content"], answer, parsed.root);
  if (answer.status === 400) {
    const issues = readIssues(member(value, "errors"));
    if (issues.length > 0) return { kind: "invalid", issues };
  }
  return { kind: "refused", reason: reasonOf(answer, value) };
}

function result(value: JsonObject, content: readonly JsonValue[], answer: Answer, root: JsonNode): ResultOutcome {
  // As it was sent: keys in their order, and all of them.
  const own = (...path: Path): string => textAt(answer.body, root, path) ?? "";
  return {
    kind: "result",
    isError: value["isError"] === true,
    blocks: content.map((each, index) => readBlock(each, () => own("content", index))),
    structured: value["structuredContent"] === undefined ? null : own("structuredContent"),
    traceId: textOrNull(value["_meta"], "_trace_id"),
    keepsSchema: answer.outputSchema === "kept",
    breaches: readIssues(value["errors"]),
  };
}

function readBlock(block: JsonValue, written: () => string): Block {
  const type = textOrNull(block, "type") ?? "unknown";
  const other = (): Block => ({ kind: "other", type, json: written() });
  switch (type) {
    case "text": {
      const own = textOrNull(block, "text");
      return own === null ? other() : { kind: "text", text: own };
    }
    case "image":
    case "audio": {
      const mimeType = text(block, "mimeType");
      const url = dataUrl(type, mimeType, textOrNull(block, "data"));
      return url === null ? other() : { kind: type, url, mimeType };
    }
    case "resource_link":
      return { kind: "link", ...textsOf(block, "uri", "name", "description") };
    case "resource":
      return readEmbedded(member(block, "resource")) ?? other();
    default:
      return other();
  }
}

function readEmbedded(resource: JsonValue | undefined): Embedded | null {
  const [own, blob] = [textOrNull(resource, "text"), textOrNull(resource, "blob")];
  if (own === null && blob === null) return null;
  const mimeType = text(resource, "mimeType");
  const kind = mimeType.startsWith("image/") ? "image" : mimeType.startsWith("audio/") ? "audio" : null;
  const url = kind === null || own !== null ? null : dataUrl(kind, mimeType, blob);
  return {
    kind: "embedded",
    uri: text(resource, "uri"),
    mimeType,
    text: own,
    data: own === null ? base64Of(blob) : null,
    media: kind !== null && url !== null ? { kind, url } : null,
  };
}

/** Of a text without white space: an engine would try each run of it again and again. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function base64Of(text: string | null): string | null {
  const plain = text?.replace(/\s/g, "") ?? null;
  return plain !== null && BASE64.test(plain) ? plain : null;
}

/**
 * A data URL, or `null` where the block is not what it says.
 *
 * The type goes into the URL, so nothing but a plain `image/…` or `audio/…` may
 * pass: a parameter or a comma would change what the URL means.
 */
function dataUrl(kind: string, mimeType: string, data: string | null): string | null {
  const plain = base64Of(data);
  if (plain === null) return null;
  if (!new RegExp(`^${kind}/[a-z0-9.+-]+$`, "i").test(mimeType)) return null;
  return `data:${mimeType};base64,${plain}`;
}
