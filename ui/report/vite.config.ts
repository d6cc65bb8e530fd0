import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { inline } from "../build/inline.ts";
import { policy } from "./policy.ts";

if (process.argv.includes("build")) process.env["NODE_ENV"] = "production";

/** The report of an audit: one file that opens from disk. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [inline(), policy("report.html")],
  base: "./",
  build: {
    outDir: "../../src/toolgauge/auditing/report",
    // Python files live there too.
    emptyOutDir: false,
    target: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    sourcemap: false,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
