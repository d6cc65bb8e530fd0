/**
 * Characters that would be invisible, or would make a name look like another
 * one: controls, zero-width and bidirectional marks, and halves of surrogate
 * pairs.
 */
const DECEPTIVE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Marks that turn round the text that follows them, far beyond their own line. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;

/** Characters of one text that are laid out at once; a megabyte would keep the page waiting. */
const MOST_TEXT = 5_000;
const MOST_NAME = 500;

/** A text for people: as it is, but nothing in it may reorder what it stands beside; a long one is cut. */
export function visibleText(text: string, most = MOST_TEXT): string {
  return cut(text, most).replace(OVERRIDES, escapeOf);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length.toLocaleString("en")} characters)`;
}

/** A name as it can be shown on one line without deceiving anyone. */
export function visibleName(name: string): string {
  if (name === "") return "(empty name)";
  return withoutDeception(cut(name, MOST_NAME));
}

/** A text in which every character of the kind is spelt out. */
export function withoutDeception(text: string): string {
  return text.replace(DECEPTIVE, escapeOf);
}

/**
 * Why no URL can lead to this tool, or `null` where one can.
 *
 * Browsers and proxies resolve "." and ".." away, also as "%2E", and an empty
 * segment is the list itself.
 */
export function unreachableReason(name: string): string | null {
  if (name === "") return "A tool without a name has no URL, so it cannot be opened or called here.";
  if (name === "." || name === "..") {
    return `The name “${name}” means a folder in every URL, so this tool cannot be opened or called here.`;
  }
  if (encodeName(name) === null) {
    return "This name is not valid Unicode, so no URL can hold it.";
  }
  return null;
}

/** One URL segment; `null` for half a surrogate pair, which has no UTF-8 form. */
export function encodeName(name: string): string | null {
  try {
    return encodeURIComponent(name);
  } catch {
    return null;
  }
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
