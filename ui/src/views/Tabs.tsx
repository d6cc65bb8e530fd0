import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";

interface Tab {
  readonly id: string;
  readonly label: string;
  /** A function is asked when the tab is first chosen: what costs much is not made in vain. */
  readonly body: ComponentChildren | (() => ComponentChildren);
}

/** Tabs with the arrow-key manners of the ARIA pattern; panels that were seen stay mounted. */
export function Tabs({ label, tabs, aside }: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly aside?: ComponentChildren;
}) {
  const prefix = useId();
  const [chosen, choose] = useState(tabs[0]?.id);
  const [seen, setSeen] = useState<ReadonlySet<string | undefined>>(new Set([tabs[0]?.id]));
  const setChosen = (id: string): void => {
    choose(id);
    setSeen(new Set([...seen, id]));
  };
  const current = tabs.some((tab) => tab.id === chosen) ? chosen : tabs[0]?.id;
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.id === current);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    setChosen(next.id);
    document.getElementById(`${prefix}-tab-${next.id}`)?.focus();
  };
  return (
    <>
      <div class="tabs">
        <div class="tablist" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
          {tabs.map((tab) => (
            <button
              type="button"
              role="tab"
              key={tab.id}
              id={`${prefix}-tab-${tab.id}`}
              aria-controls={`${prefix}-panel-${tab.id}`}
              aria-selected={tab.id === current}
              tabIndex={tab.id === current ? 0 : -1}
              onClick={() => setChosen(tab.id)}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {aside}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${prefix}-panel-${tab.id}`}
          aria-labelledby={`${prefix}-tab-${tab.id}`}
          hidden={tab.id !== current}
        >
          {typeof tab.body === "function" ? (seen.has(tab.id) || tab.id === current) && tab.body() : tab.body}
        </div>
      ))}
    </>
  );
}
