import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import type { Problem } from "../editor/diagnostics";
import { type Path, removeAt, renameAt, setAt, swapItems } from "../json/edit";
import { type Parsed, parseJson } from "../json/parse";
import type { JsonValue } from "../json/value";
import { type Draft, type Form, FormContext } from "./context";
import { FieldRow } from "./FieldRow";
import { rootField } from "./fields";
import { fieldProblems } from "./problems";

interface Props {
  readonly schema: JsonValue;
  readonly text: string;
  readonly parsed: Parsed;
  readonly problems: readonly Problem[];
  readonly onText: (text: string) => void;
  readonly onDrafts: (drafts: readonly Draft[]) => void;
  /** Ctrl+Enter or Cmd+Enter, as in the editor. */
  readonly onSubmit: () => void;
}

/**
 * The arguments as a form.
 *
 * The text is the only model: what is shown is read from it, and an edit
 * changes the smallest part of it. While the text is broken the form shows what
 * was last right, and waits.
 */
export function FormPane({ schema, text, parsed, problems, onText, onDrafts, onSubmit }: Props) {
  const good = useRef({ text: "{}", parsed: parseJson("{}") });
  if (parsed.ok) good.current = { text, parsed };
  const latest = useRef(text);
  latest.current = text;
  const handlers = useRef({ onText, onDrafts });
  handlers.current = { onText, onDrafts };
  const edits = useMemo(() => {
    const apply = (edit: (before: string) => string): void => {
      if (!parseJson(latest.current).ok) return;
      const next = edit(latest.current);
      if (next === latest.current) return;
      // Two edits may come before the page is drawn again.
      latest.current = next;
      handlers.current.onText(next);
    };
    return {
      set: (path: Path, value: string, order?: readonly string[]) => apply((now) => setAt(now, path, value, order)),
      remove: (path: Path) => apply((now) => removeAt(now, path)),
      rename: (path: Path, name: string) => apply((now) => renameAt(now, path, name)),
      swap: (path: Path, index: number) => apply((now) => swapItems(now, path, index)),
    };
  }, []);
  const { noteDraft, isUnfinished } = useDrafts((drafts) => handlers.current.onDrafts(drafts));
  const shown = good.current;
  // Of broken JSON there is one problem, and it is not one of a field.
  const placed = useMemo(() => fieldProblems(parsed.ok ? problems : []), [parsed.ok, problems]);
  const form: Form = useMemo(
    () => ({ schema, text: shown.text, problems: placed, noteDraft, isUnfinished, ...edits }),
    [schema, shown, placed, noteDraft, isUnfinished, edits],
  );
  if (!shown.parsed.ok) return <p class="hint">The JSON is broken.</p>;
  return (
    <FormContext.Provider value={form}>
      <form
        class="form"
        aria-label="Arguments as a form"
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onSubmit();
        }}
      >
        {!parsed.ok && <p class="form-wait" role="note">The JSON is broken. The form goes on when it is mended.</p>}
        <fieldset class="form-body" disabled={!parsed.ok}>
          <FieldRow field={rootField(schema, shown.parsed.root)} level={0} />
        </fieldset>
      </form>
    </FormContext.Provider>
  );
}

/** Keeps what the controls hold back, by control. */
function useDrafts(onDrafts: (drafts: readonly Draft[]) => void): Pick<Form, "noteDraft" | "isUnfinished"> {
  const [drafts] = useState(() => new Map<string, Draft>());
  const noteDraft = useCallback(
    (id: string, draft: Draft | null) => {
      if (draft === null ? !drafts.delete(id) : drafts.get(id)?.message === draft.message) return;
      if (draft) drafts.set(id, draft);
      onDrafts([...drafts.values()]);
    },
    [drafts],
  );
  const isUnfinished = useCallback(
    (path: Path) => [...drafts.values()].some((each) => path.every((part, depth) => part === each.path[depth])),
    [drafts],
  );
  return { noteDraft, isUnfinished };
}
