import type { ComponentChildren, JSX } from "preact";

/** A sentence about a state, and what can be done about it. */
export function Notice({
  tone = "plain",
  title,
  children,
  action,
}: {
  readonly tone?: "plain" | "bad" | "warn";
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly action?: { readonly label: string; readonly run: () => void };
}): JSX.Element {
  return (
    <div class={`notice ${tone}`} role={tone === "plain" ? undefined : "alert"}>
      <p class="notice-title">{title}</p>
      {children && <div class="notice-text">{children}</div>}
      {action && (
        <button type="button" class="button" onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  );
}
