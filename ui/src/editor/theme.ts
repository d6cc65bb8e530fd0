import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// Custom properties reach into the shadow root, so light and dark need no second theme.
const look = EditorView.theme({
  "&": { minHeight: "132px", maxHeight: "var(--editor-height, max(260px, 52vh))", color: "var(--text)", backgroundColor: "var(--field)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-gutters": { backgroundColor: "var(--field)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter": { backgroundColor: "var(--line-hover)" },
  ".cm-activeLineGutter": { color: "var(--muted)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--selection)",
  },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--selection)",
    outline: "1px solid var(--border-strong)",
  },
  ".cm-gutter-lint": { width: "18px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0 2px" },
  // CodeMirror's own markers are pictures in fixed colours; these follow the theme.
  ".cm-lint-marker": { content: "none", width: "8px", height: "8px", margin: "6px 3px", borderRadius: "50%" },
  ".cm-lint-marker-error": { backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { backgroundColor: "var(--warn)" },
  ".cm-lintRange": { backgroundImage: "none", textDecorationSkipInk: "none" },
  ".cm-lintRange-error": { textDecoration: "underline wavy var(--bad) 1px", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { textDecoration: "underline wavy var(--warn) 1px", textUnderlineOffset: "3px" },
  ".cm-lintRange-active": { backgroundColor: "var(--bad-soft)" },
  ".cm-lintPoint:after": { borderBottomColor: "var(--bad)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--border-strong)",
    borderRadius: "6px",
    boxShadow: "var(--shadow)",
    maxWidth: "min(460px, 80vw)",
    fontFamily: "var(--sans)",
    fontSize: "13px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12.5px", maxHeight: "260px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--text)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal", marginLeft: "12px" },
  ".cm-completionInfo": { padding: "6px 10px", maxWidth: "300px", whiteSpace: "pre-wrap" },
  ".cm-snippetField": { backgroundColor: "var(--chip)" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeft: "none", overflowWrap: "anywhere" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--chip)", border: "none", color: "var(--muted)", padding: "0 4px" },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--code-key)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: [tags.bool, tags.null], color: "var(--code-word)" },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: "var(--muted)" },
]);

export const theme = [look, syntaxHighlighting(colours)];
