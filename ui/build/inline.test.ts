import { expect, test } from "vitest";
import { assemble, scriptText } from "./inline.ts";

const page = `<!doctype html><html><head><title>toolgauge</title>
<script type="module" crossorigin src="./a.js"></script>
<link rel="stylesheet" crossorigin href="./a.css"></head>
<body><script type="application/json" id="toolgauge-config">{}</script></body></html>`;
const parts = { page, script: "f('$&')", style: "a{}", notices: "MIT -- -->" };

test("script and style are put in as they are", () => {
  const html = assemble(parts);
  expect(html).toContain(`<script type="module">f('$&')</script>`);
  expect(html).toContain("<style>a{}</style>");
  expect(html).not.toMatch(/src=|href=/);
  expect(html.split("-->").length).toBe(2);
});

test("code cannot end its own element", () => {
  expect(scriptText("a='</script><!--<script>'")).toBe("a='\\x3C/script>\\x3C!--\\x3Cscript>'");
});

test("a page that the server could not fill in stops the build", () => {
  expect(() => assemble({ ...parts, page: page.replace("{}", "{ }") })).toThrow(/placeholder/);
  expect(() => assemble({ ...parts, script: 'x="<title>toolgauge</title>"' })).toThrow(/title/);
});
