import { type JsonNode, parseJson } from "./json/parse";

/** What takes the place of a token that a tool repeats in its answer. */
export const MASK = "[token]";

/** Characters; what is shorter stands in too many words to be told from them. */
const TELLING = 6;

/** Whether a text holds a secret, also where JSON writes it with escapes. */
export function holdsSecret(text: string, secret: string): boolean {
  if (text.includes(secret)) return true;
  const parsed = parseJson(text);
  return parsed.ok && wordsOf(parsed.root).some(({ value }) => value.includes(secret));
}

/**
 * The text without the secret, or `null` where it cannot be told apart.
 *
 * Only string values are changed: a key, a number or a part of a word that is
 * masked would make another answer of it.
 */
export function maskSecret(text: string, secret: string): string | null {
  if (!holdsSecret(text, secret)) return text;
  if (secret.length < TELLING) return null;
  const parsed = parseJson(text);
  const next = parsed.ok ? maskValues(text, parsed.root, secret) : text.replaceAll(secret, MASK);
  return holdsSecret(next, secret) ? null : next;
}

function maskValues(text: string, root: JsonNode, secret: string): string {
  const found = wordsOf(root).filter(({ isKey, value }) => !isKey && value.includes(secret));
  return found.reduceRight(
    (now, { from, to, value }) => now.slice(0, from) + JSON.stringify(value.replaceAll(secret, MASK)) + now.slice(to),
    text,
  );
}

interface Word {
  readonly value: string;
  readonly from: number;
  readonly to: number;
  readonly isKey: boolean;
}

/** Every string of a document, in its order. */
function wordsOf(node: JsonNode): readonly Word[] {
  switch (node.kind) {
    case "string":
      return [{ value: node.value, from: node.from, to: node.to, isKey: false }];
    case "array":
      return node.items.flatMap(wordsOf);
    case "object":
      return node.members.flatMap(({ key, keySpan, value }) => [{ value: key, ...keySpan, isKey: true }, ...wordsOf(value)]);
    default:
      return [];
  }
}
