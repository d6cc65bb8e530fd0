import { useEffect, useId, useState } from "preact/hooks";
import type { Path } from "../json/edit";
import { useForm } from "./context";

export type DraftState = ReturnType<typeof useDraft>;

/** What became of a text: what the model then holds for it, or why it holds nothing. */
export type Committed = { readonly source: string } | { readonly refusal: string };

/**
 * A control whose text is not always a value: half a number, half an object.
 *
 * While it is none, the text lives here and the model keeps what it had; the
 * page lists it as a problem and sends nothing. A change of the model from
 * outside wins over the draft.
 *
 * @param source - What the model holds.
 * @param commit - Puts a text into the model.
 */
export function useDraft(path: Path, source: string, commit: (text: string) => Committed) {
  const { noteDraft } = useForm();
  const id = useId();
  const [draft, setDraft] = useState<{ source: string; text: string; refusal: string | null } | null>(null);
  const current = draft?.source === source ? draft : null;
  const problem = current?.refusal ?? null;
  const place = JSON.stringify(path);
  useEffect(() => {
    noteDraft(id, problem === null ? null : { path: JSON.parse(place) as Path, message: problem });
    return () => noteDraft(id, null);
  }, [noteDraft, id, problem, place]);
  const type = (text: string): void => {
    const done = commit(text);
    // White space around a value is not in the model, but must not vanish under the caret.
    if ("source" in done) setDraft({ source: done.source, text, refusal: null });
    else setDraft({ source, text, refusal: done.refusal });
  };
  return { shown: current?.text ?? source, problem, type };
}
