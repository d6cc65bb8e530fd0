/** The part of the browser's storage that is used; it may be full. */
export type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The browser's own, or `null` where the page may not use it. */
export function storageOrNull(kind: "localStorage" | "sessionStorage"): Store | null {
  try {
    return window[kind];
  } catch (error) {
    // A sandboxed frame has none; what is kept then lasts as long as the page.
    console.debug("toolgauge: there is no storage", error);
    return null;
  }
}

/** The items of a list that is stored; what cannot be read, another page's text perhaps, counts as none. */
export function readStored<T>(store: Store | null, key: string, what: string, isItem: (value: unknown) => value is T): readonly T[] {
  try {
    const value: unknown = JSON.parse(store?.getItem(key) ?? "[]");
    return Array.isArray(value) ? value.filter(isItem) : [];
  } catch (error) {
    console.debug(`toolgauge: the ${what} cannot be read`, error);
    return [];
  }
}
