import type { Parsed } from "../json/parse";
import { type Verdict, blamesSchema } from "../net/read";
import { Button } from "./buttons";

interface Props {
  readonly parsed: Parsed;
  readonly verdict: Verdict | null;
  readonly pending: boolean;
  readonly retry: () => void;
}

/** One line, announced politely: is what stands in the editor all right? */
export function ValidationStatus({ parsed, verdict, pending, retry }: Props) {
  const { tone, text } = statusOf(parsed, verdict, pending);
  const canRetry = parsed.ok && !pending && verdict?.kind === "unknown";
  return (
    <div class={`validity ${tone}`}>
      <span class="validity-dot" aria-hidden="true" />
      <span role="status">{text}</span>
      {canRetry && <Button class="link-button" onClick={retry}>Check again</Button>}
    </div>
  );
}

function statusOf(parsed: Parsed, verdict: Verdict | null, pending: boolean): { tone: string; text: string } {
  if (!parsed.ok) return { tone: "bad", text: "Not JSON yet; nothing was sent." };
  if (pending || verdict === null) return { tone: "wait", text: "Checking…" };
  switch (verdict.kind) {
    case "valid":
      return { tone: "good", text: "Valid" };
    case "unknown":
      return { tone: "warn", text: `Not checked: ${verdict.reason}` };
    case "invalid": {
      const { issues } = verdict;
      if (blamesSchema(issues)) {
        return { tone: "bad", text: "The tool's own schema is broken, so nothing can match it." };
      }
      return { tone: "bad", text: issues.length === 1 ? "1 problem" : `${issues.length} problems` };
    }
  }
}
