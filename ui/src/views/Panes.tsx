import type { JSX } from "preact";

const VIEWS = [["both", "Both"], ["form", "Form"], ["json", "JSON"]] as const;
export type PaneView = (typeof VIEWS)[number][0];

/** Form and JSON side by side, or only one of them. Both stay alive: an editor keeps its history. */
export function Panes({
  view,
  form,
  json,
}: {
  readonly view: PaneView;
  readonly form: JSX.Element;
  readonly json: JSX.Element;
}): JSX.Element {
  return (
    <div class="panes">
      <div class={`panes-inner ${view}`}>
        <div class="pane pane-form" hidden={view === "json"}>
          {form}
        </div>
        <div class="pane pane-json" hidden={view === "form"}>
          {json}
        </div>
      </div>
    </div>
  );
}

export function PaneSwitch({
  view,
  onView,
}: {
  readonly view: PaneView;
  readonly onView: (view: PaneView) => void;
}): JSX.Element {
  return (
    <div class="tool-group" role="group" aria-label="Show">
      {VIEWS.map(([id, label]) => (
        <button type="button" class="small-button" key={id} aria-pressed={id === view} onClick={() => onView(id)}>
          {label}
        </button>
      ))}
    </div>
  );
}
