import { defineConfig } from "vitest/config";
import { inline } from "./build/inline.ts";

// Whatever the machine has set: a development build is not the committed file.
if (process.argv.includes("build")) process.env["NODE_ENV"] = "production";

export default defineConfig({
  plugins: [inline()],
  // Never an absolute path: the page does not know where it is mounted.
  base: "./",
  build: {
    outDir: "../src/toolgauge/serve/explorer",
    // Python files may live there too.
    emptyOutDir: false,
    // light-dark() in the styles asks for these.
    target: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    sourcemap: false,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: {
    include: ["{src,build,report,tests}/**/*.test.ts"],
    environment: "node",
    testTimeout: 30_000,
  },
});
