import { EditorView } from "@codemirror/view";

/**
 * Typing over a selection, done by the editor instead of the browser.
 *
 * Left to itself Chromium keeps the look of the replaced text: it adds a
 * `<span style="…">`, which the page's policy blocks and reports. Compositions
 * are not touched, the browser must carry those out itself.
 */
export const replaceSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection;
    if (main.empty || event.isComposing || view.state.readOnly) return false;
    const isDeletion = event.inputType.startsWith("delete");
    const typed = isDeletion ? "" : event.data;
    if (typed === null || !(isDeletion || event.inputType === "insertText")) return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(typed), {
        userEvent: isDeletion ? "delete.selection" : "input.type",
        scrollIntoView: true,
      });
    event.preventDefault();
    // What else listens to typing (closing brackets) comes first, as everywhere in CodeMirror.
    const handlers = isDeletion ? [] : view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, typed, insert))) {
      view.dispatch(insert());
    }
    return true;
  },
});
