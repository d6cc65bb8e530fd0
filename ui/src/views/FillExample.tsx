import type { JSX } from "preact";
import type { Extent } from "../schema/example";

/** Other texts for the composer: an example, or what it began with. */
export function FillExample({
  onFill,
  onReset,
  canReset,
}: {
  readonly onFill: (extent: Extent) => void;
  readonly onReset: () => void;
  readonly canReset: boolean;
}): JSX.Element {
  return (
    <>
      <div class="tool-group" role="group" aria-label="Fill example">
        <span aria-hidden="true">Fill example</span>
        <button type="button" class="small-button" title="What the schema requires" onClick={() => onFill("required")}>
          Required
        </button>
        <button type="button" class="small-button" title="Every property" onClick={() => onFill("all")}>
          All
        </button>
      </div>
      <button type="button" class="small-button" disabled={!canReset} onClick={onReset}>
        Reset
      </button>
    </>
  );
}
