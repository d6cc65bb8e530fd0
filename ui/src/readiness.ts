import type { Parsed } from "./json/parse";
import { type Verdict, blamesSchema } from "./net/read";

export type Readiness =
  | { readonly ok: true }
  /** `waits` where the next verdict may say otherwise. */
  | { readonly ok: false; readonly reason: string; readonly waits: boolean };

/**
 * May this call be sent, and if not, why?
 *
 * An older verdict counts until the next one is there, so that the button does
 * not flicker at every key; the server checks again anyway. Where no verdict
 * could be had the server decides.
 */
export function readiness(now: {
  readonly allowExecute: boolean;
  readonly parsed: Parsed;
  readonly verdict: Verdict | null;
  /** Whether the verdict is about an older text. */
  readonly pending: boolean;
}): Readiness {
  const no = (reason: string, waits = false): Readiness => ({ ok: false, reason, waits });
  if (!now.allowExecute) return no("Execution is switched off on this server.");
  if (!now.parsed.ok) return no("The JSON is broken.");
  if (now.parsed.root.kind !== "object") return no("The arguments must be a JSON object.");
  if (now.verdict?.kind === "invalid") {
    return no(
      blamesSchema(now.verdict.issues)
        ? "The tool's own schema is broken."
        : "The arguments do not match the schema.",
      now.pending,
    );
  }
  return { ok: true };
}
