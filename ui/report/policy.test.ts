import { expect, test } from "vitest";
import { withPolicy } from "./policy.ts";

const page = `<head><meta charset="utf-8" /><style>a{}</style></head>
<script type="module">f()</script>`;

test("only the page's own script and style are allowed", () => {
  const html = withPolicy(page);
  expect(html).toMatch(/content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/);
  expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.indexOf("<style>"));
});

test("a page without a script stops the build", () => {
  expect(() => withPolicy(page.replace("module", "text"))).toThrow(/no/);
  expect(() => withPolicy(page.replace('charset="utf-8"', ""))).toThrow(/character set/);
});
