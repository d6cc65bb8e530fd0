/** A function of an object whose answer is kept as long as the object is. */
export function once<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const found = known.get(key) ?? { value: make(key) };
    known.set(key, found);
    return found.value;
  };
}

/** The same for an object and a text. */
export function onceEach<K extends object, V>(make: (key: K, text: string) => V): (key: K, text: string) => V {
  const all = once((_: K) => new Map<string, V>());
  return (key, text) => {
    const known = all(key);
    if (!known.has(text)) known.set(text, make(key, text));
    return known.get(text) as V;
  };
}

/** What belongs together, by a key; in the order in which the keys come first. */
export function grouped<T, K>(all: readonly T[], keyOf: (each: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    const known = groups.get(key);
    if (known) known.push(each);
    else groups.set(key, [each]);
  }
  return groups;
}
