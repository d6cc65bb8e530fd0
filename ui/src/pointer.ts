/** RFC 6901 JSON Pointers. */

/** Split a pointer into its keys; `null` where the text is not a pointer. */
export function parsePointer(pointer: string): readonly string[] | null {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return null;
  // "~1" first: the other way round "~01" would become "/" instead of "~1".
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Name an array item the way RFC 6901 section 4 allows; `null` for anything else. */
export function arrayIndex(token: string): number | null {
  return /^(?:0|[1-9][0-9]*)$/.test(token) ? Number(token) : null;
}

/** The pointer of a path of keys and indices. */
export function toPointer(path: readonly (string | number)[]): string {
  // "~" first, so that the "~1" of a slash is not escaped again.
  return path.map((part) => `/${escapeToken(String(part))}`).join("");
}

export function escapeToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Undo the escapes of a URL; a stray "%" is none, and the text then stands for itself. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
