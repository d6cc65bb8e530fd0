import { encodeName } from "./names";

/** What a shell replaces by the token; the token itself never gets into text. */
export const TOKEN_VARIABLE = "$TOOLGAUGE_TOKEN";

/**
 * The same call for a POSIX shell.
 *
 * The body is the editor's text, untouched. `--data-raw`, because `--data`
 * would read a file when the text starts with "@".
 */
export function curlCommand(call: {
  readonly base: string;
  readonly tool: string;
  readonly body: string;
  readonly needsToken: boolean;
}): string {
  const url = `${call.base}tools/${encodeName(call.tool) ?? ""}/call`;
  const parts = [`curl -sS ${quote(url)}`, `-H ${quote("Content-Type: application/json")}`];
  // Double quotes here, so that the shell puts the token in.
  if (call.needsToken) parts.push(`-H "Authorization: Bearer ${TOKEN_VARIABLE}"`);
  parts.push(`--data-raw ${quote(call.body)}`);
  return parts.join(" \\\n  ");
}

/** One shell word: inside single quotes nothing is special but the quote itself. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
