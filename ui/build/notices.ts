import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The licences of what was bundled, as those licences demand.
 *
 * Packages with the same text share it, in an order that does not depend on the
 * machine.
 */
export function noticesOf(modules: readonly string[]): string {
  const roots = new Set<string>();
  for (const id of modules) {
    const root = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll("\\", "/"))?.[1];
    if (root !== undefined) roots.add(root);
  }
  const byText = new Map<string, string[]>();
  for (const root of [...roots].sort()) {
    const text = licenceOf(root);
    byText.set(text, [...(byText.get(text) ?? []), nameOf(root)]);
  }
  const notices = [...byText].map(([text, names]) => `${names.sort().join(", ")}\n\n${text}`).sort();
  return `This page contains the following software.\n\n${notices.join("\n\n")}`;
}

function nameOf(root: string): string {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    name: string;
    version: string;
  };
  return `${manifest.name} ${manifest.version}`;
}

function licenceOf(root: string): string {
  const file = existsSync(root) && readdirSync(root).find((each) => /^licen[cs]e/i.test(each));
  if (!file) throw new Error(`${root} has no licence file`);
  return readFileSync(join(root, file), "utf8").replaceAll("\r\n", "\n").trim();
}
