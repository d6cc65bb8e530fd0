import { defineConfig } from "vite";

/** Bundles `examples.ts` for Node.js: `vite build --config build/examples.vite.ts --outDir …`. */
export default defineConfig({
  build: { ssr: "build/examples.ts", emptyOutDir: false, minify: false, reportCompressedSize: false },
  logLevel: "warn",
});
