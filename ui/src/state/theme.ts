import { storageOrNull } from "./storage";

export type Theme = "light" | "dark";

const KEY = "toolgauge-theme";

/** What the reader chose earlier, or `null` to follow the system. */
export function storedTheme(): Theme | null {
  const value = storageOrNull("localStorage")?.getItem(KEY);
  return value === "light" || value === "dark" ? value : null;
}

export function storeTheme(theme: Theme): void {
  try {
    storageOrNull("localStorage")?.setItem(KEY, theme);
  } catch (error) {
    console.debug("toolgauge: the theme cannot be stored", error);
  }
}

/** The theme that is seen now. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function applyTheme(theme: Theme | null): void {
  if (theme) document.documentElement.dataset["theme"] = theme;
}
