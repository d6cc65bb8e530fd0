import { holdsSecret } from "./secret";
import { type Store, readStored } from "./state/storage";

/** Bounds; longer texts last as long as the page. */
export const LIMITS = { textChars: 50_000, chars: 200_000 } as const;

/** What was typed for each tool, so that coming back loses nothing, nor does a reload. */
export interface Drafts {
  get(tool: string): string | undefined;
  set(tool: string, text: string): void;
  /** Never store a text that holds this; one that held it is not stored any more. */
  hide(secret: string | null): void;
}

/** @param store - Where they outlive the page; `null` where there is none. */
export function createDrafts(store: Store | null, key: string): Drafts {
  const texts = new Map(readStored(store, key, "drafts", isPair));
  const hidden = new Set<string>();
  let secret: string | null = null;
  const check = (tool: string, text: string): void => {
    if (secret !== null && holdsSecret(text, secret)) hidden.add(tool);
  };
  const save = (): void => writeTexts(store, key, within([...texts].filter(([tool]) => !hidden.has(tool))));
  return {
    get: (tool) => texts.get(tool),
    set: (tool, text) => {
      // Anew, so that the newest is the last.
      texts.delete(tool);
      texts.set(tool, text);
      check(tool, text);
      save();
    },
    hide: (next) => {
      secret = next;
      for (const [tool, text] of texts) check(tool, text);
      save();
    },
  };
}

type Texts = readonly (readonly [tool: string, text: string])[];

function within(texts: Texts): Texts {
  let chars = 0;
  const short = texts.filter(([, text]) => text.length <= LIMITS.textChars);
  const newest = short.toReversed().filter(([tool, text]) => (chars += tool.length + text.length) <= LIMITS.chars);
  return newest.toReversed();
}

function writeTexts(store: Store | null, key: string, texts: Texts): void {
  try {
    // First, so that nothing older stays where there is no room for this.
    store?.removeItem(key);
    if (texts.length > 0) store?.setItem(key, JSON.stringify(texts));
  } catch (error) {
    console.debug("toolgauge: the drafts cannot be stored", error);
  }
}

function isPair(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === "string");
}
