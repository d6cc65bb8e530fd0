import type { Annotations } from "../net/api";

const HINTS = [
  ["readOnlyHint", "read-only", "not read-only", "quiet"],
  ["destructiveHint", "destructive", "not destructive", "danger"],
  ["idempotentHint", "idempotent", "not idempotent", "quiet"],
  ["openWorldHint", "open world", "closed world", "info"],
] as const;

/** Whether the list has anything to show for a tool. */
export function hasBadges(annotations: Annotations): boolean {
  return HINTS.some(([hint]) => annotations[hint] === true);
}

/** What the tool says of itself. The list shows what is so, the detail also what is not. */
export function Badges({ annotations, isComplete = false }: {
  readonly annotations: Annotations;
  readonly isComplete?: boolean;
}) {
  const shown = HINTS.filter(([hint]) =>
    isComplete ? annotations[hint] !== undefined : annotations[hint] === true,
  );
  if (shown.length === 0) return null;
  return (
    <span class="badges">
      {shown.map(([hint, yes, no, tone]) => (
        <span key={hint} class={`badge ${annotations[hint] ? tone : "off"}`}>{annotations[hint] ? yes : no}</span>
      ))}
    </span>
  );
}
