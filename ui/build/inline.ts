import type { Plugin, Rolldown } from "vite";
import { noticesOf } from "./notices.ts";

const PLACEHOLDER = '<script type="application/json" id="toolgauge-config">{}</script>';
const TITLE = "<title>toolgauge</title>";

/**
 * Put the script and the styles into the page, so that it is one file.
 *
 * The server hashes exactly one `<style>` and one module script for its
 * Content-Security-Policy and fills in two places; what it relies on is checked
 * here, where a mistake stops the build and not a user.
 */
export function inline(): Plugin {
  return {
    name: "toolgauge-inline",
    enforce: "post",
    generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const page = only(files.filter(({ fileName }) => fileName === "index.html"), "page");
      const script = only(files.filter((each) => each.type === "chunk"), "script");
      const style = only(files.filter(({ fileName }) => fileName.endsWith(".css")), "style sheet");
      const html = assemble({
        page: textOf(page),
        script: textOf(script),
        style: textOf(style),
        notices: noticesOf(script.type === "chunk" ? Object.keys(script.modules) : []),
      });
      for (const file of files) delete bundle[file.fileName];
      this.emitFile({ type: "asset", fileName: "index.html", source: html });
    },
  };
}

export function assemble(parts: {
  readonly page: string;
  readonly script: string;
  readonly style: string;
  readonly notices: string;
}): string {
  // Replacer functions: a "$&" in the code must not be taken for a pattern.
  const html = parts.page
    .replace(/\s*<script type="module"[^>]*><\/script>/, "")
    .replace(/\s*<link rel="stylesheet"[^>]*>/, () => `\n    <style>${styleText(parts.style)}</style>`)
    .replace(/\s*<\/body>/, () => `\n    <script type="module">${scriptText(parts.script)}</script>\n  </body>`)
    .replace(/<\/html>\s*$/, () => `</html>\n<!--\n${commentText(parts.notices)}\n-->\n`);
  for (const [what, text] of [
    ["the placeholder", PLACEHOLDER],
    ["the title", TITLE],
    ["the module script", '<script type="module">'],
    ["the style element", "<style>"],
  ] as const) {
    const count = html.split(text).length - 1;
    if (count !== 1) throw new Error(`${what} must stand in the page once, not ${count} times`);
  }
  return html;
}

/** Inside a script element only these end or confuse it (HTML, "restrictions for scripts"). */
export function scriptText(code: string): string {
  return code.trim().replace(/<(?=\/script|!--|script)/gi, "\\x3C");
}

function styleText(css: string): string {
  if (/<\/style/i.test(css)) throw new Error("the style sheet would end its own element");
  return css.trim();
}

function commentText(text: string): string {
  return text.replace(/-(?=-)|-(?=>)/g, "- ");
}

function textOf(file: Rolldown.OutputAsset | Rolldown.OutputChunk): string {
  if (file.type === "chunk") return file.code;
  return typeof file.source === "string" ? file.source : new TextDecoder().decode(file.source);
}

function only<T>(files: readonly T[], what: string): T {
  const [first] = files;
  if (files.length !== 1 || first === undefined) {
    throw new Error(`the build must give one ${what}, not ${files.length}`);
  }
  return first;
}
