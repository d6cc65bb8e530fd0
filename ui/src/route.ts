import { encodeName } from "./names";

const PREFIX = "#/tools/";

/** The part of the address that leads to a tool; the list where it has no URL. */
export function toolHash(name: string): string {
  const segment = encodeName(name);
  return segment === null ? "#/" : PREFIX + segment;
}

/** The tool that an address names, or `null` for the list. */
export function toolOfHash(hash: string): string | null {
  if (!hash.startsWith(PREFIX)) return null;
  const segment = hash.slice(PREFIX.length);
  if (segment === "") return null;
  try {
    return decodeURIComponent(segment);
  } catch {
    // Somebody typed a stray "%": take it as it stands, the server will say 404.
    return segment;
  }
}
