import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, codeFolding, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, nextDiagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { changeBetween } from "../json/edit";
import type { JsonValue } from "../json/value";
import { completeFrom } from "./complete";
import { replaceSelection } from "./replace";
import { theme } from "./theme";

export interface EditorEvents {
  onChange(text: string): void;
  /** Ctrl+Enter or Cmd+Enter. */
  onSubmit(): void;
}

/**
 * A JSON editor inside a shadow root.
 *
 * CodeMirror adds its styles while it runs. In a document it does so with a
 * `<style>` element, which the page's policy forbids; in a shadow root with a
 * constructed sheet, which no policy needs to allow.
 *
 * Tab is left to the browser: who comes with the keyboard must also get out.
 */
export function createEditor(host: HTMLElement, text: string, schema: JsonValue, events: EditorEvents): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const submit = (): boolean => {
    events.onSubmit();
    return true;
  };
  return new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightSpecialChars(),
        history(),
        codeFolding(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of("  "),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        lintGutter(),
        autocompletion({ override: [completeFrom(schema)], icons: false }),
        replaceSelection,
        json(),
        theme,
        EditorView.contentAttributes.of({
          "aria-label": "Arguments as JSON",
          // Editable text takes the focus anyway; checkers of accessibility look for this.
          tabindex: "0",
          spellcheck: "false",
          autocorrect: "off",
          autocapitalize: "off",
        }),
        keymap.of([
          { key: "Mod-Enter", run: submit },
          { key: "F8", run: nextDiagnostic },
          ...completionKeymap,
          ...closeBracketsKeymap,
          ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
          ...historyKeymap,
          ...foldKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) events.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
}

/** Put another text in, as one edit that can be undone; what is the same stays, and the caret with it. */
export function replaceText(editor: EditorView, text: string): void {
  editor.dispatch({ changes: changeBetween(editor.state.doc.toString(), text) });
}

/** Put the caret at a problem and bring it into view. */
export function goTo(editor: EditorView, place: { readonly from: number; readonly to: number }): void {
  const end = editor.state.doc.length;
  const from = Math.min(place.from, end);
  editor.dispatch({ selection: { anchor: from, head: Math.min(place.to, end) }, scrollIntoView: true });
  editor.focus();
}
