import { setDiagnostics } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { createEditor } from "../editor/create";
import { type Problem, toDiagnostics } from "../editor/diagnostics";
import type { JsonValue } from "../json/value";

interface Props {
  readonly initialText: string;
  /** For completion. */
  readonly schema: JsonValue;
  readonly problems: readonly Problem[];
  readonly view: RefObject<EditorView | null>;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}

/**
 * CodeMirror as a component. The text is its own after `initialText`: handing
 * each change back in would overwrite what was typed since. To replace it use
 * `replaceText` on the view.
 */
export function Editor({ initialText, schema, problems, view, onChange, onSubmit }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const events = useRef({ onChange, onSubmit });
  events.current = { onChange, onSubmit };
  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const created = createEditor(host.current, initialText, schema, {
      onChange: (next) => events.current.onChange(next),
      onSubmit: () => events.current.onSubmit(),
    });
    view.current = created;
    return () => {
      created.destroy();
      view.current = null;
    };
    // Once: the editor must keep its history and caret while the text changes.
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const diagnostics = toDiagnostics(problems, editor.state.doc.length);
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [problems]);
  return <div class="editor" ref={host} />;
}
