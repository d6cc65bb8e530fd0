import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/**
 * Write the Content-Security-Policy into the page, and give the file its name.
 *
 * A file on disk has no server to send headers: the page itself allows its one
 * script and its one style element by their hashes, and nothing else.
 */
export function policy(name: string): Plugin {
  return {
    name: "toolgauge-policy",
    enforce: "post",
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== "asset" || !file.fileName.endsWith(".html")) continue;
        const text =
          typeof file.source === "string" ? file.source : new TextDecoder().decode(file.source);
        delete bundle[file.fileName];
        this.emitFile({ type: "asset", fileName: name, source: withPolicy(text) });
      }
    },
  };
}

export function withPolicy(html: string): string {
  const style = hashOf(html, /<style>([^]*?)<\/style>/);
  const script = hashOf(html, /<script type="module">([^]*?)<\/script>/);
  const content = [
    "default-src 'none'",
    `script-src '${script}'`,
    `style-src '${style}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  // The first thing after the character set: it binds what comes after it.
  const charset = '<meta charset="utf-8" />';
  if (html.split(charset).length !== 2) throw new Error("the page must name its character set once");
  return html.replace(
    charset,
    () => `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${content}" />`,
  );
}

function hashOf(html: string, element: RegExp): string {
  const text = element.exec(html)?.[1];
  if (text === undefined) throw new Error(`the page has no ${element}`);
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
