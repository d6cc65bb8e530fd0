import { useReducer, useRef } from "preact/hooks";

interface Known {
  readonly texts: readonly string[];
  readonly keys: readonly number[];
}

export type ItemKeys = ReturnType<typeof useItemKeys>;

/**
 * A key for each item of a list, which stays with the item when it moves: what
 * is open, chosen or half typed there is the item's and not the place's.
 *
 * @param texts - The items as they stand in the text.
 */
export function useItemKeys(texts: readonly string[]) {
  const known = useRef<Known>({ texts: [], keys: [] });
  const next = useRef(0);
  const [, redraw] = useReducer((round: number) => round + 1, 0);
  known.current = { texts, keys: matchKeys(known.current, texts, () => next.current++) };
  const change = (edit: <T>(list: T[]) => void): void => {
    const [before, keys] = [[...known.current.texts], [...known.current.keys]];
    edit(before);
    edit(keys);
    known.current = { texts: before, keys };
    // Where two equal items change places, the text does not change.
    redraw(undefined);
  };
  return {
    keys: known.current.keys,
    swap: (index: number) => change((list) => list.splice(index, 2, ...list.slice(index, index + 2).reverse())),
    remove: (index: number) => change((list) => list.splice(index, 1)),
  };
}

/**
 * The keys of a list that was changed from outside: who has the same text as
 * before keeps the key, and of the others each takes the next that is free.
 */
export function matchKeys(before: Known, texts: readonly string[], fresh: () => number): readonly number[] {
  const { keys } = before;
  let head = 0;
  while (head < Math.min(texts.length, keys.length) && texts[head] === before.texts[head]) head++;
  let tail = 0;
  const most = Math.min(texts.length, keys.length) - head;
  while (tail < most && texts.at(-1 - tail) === before.texts.at(-1 - tail)) tail++;
  const end = keys.length - tail;
  const free = new Map<string, number[]>();
  for (let at = head; at < end; at++) {
    const text = before.texts[at] ?? "";
    const known = free.get(text);
    if (known) known.push(at);
    else free.set(text, [at]);
  }
  for (const each of free.values()) each.reverse();
  const own = texts.slice(head, texts.length - tail).map((text) => free.get(text)?.pop());
  const left = [...free.values()].flat().sort((a, b) => b - a);
  const middle = own.map((at) => keys[at ?? left.pop() ?? -1] ?? fresh());
  return [...keys.slice(0, head), ...middle, ...keys.slice(end)];
}

export type MemberKeys = ReturnType<typeof useMemberKeys>;

/** A key for each member of an object, which stays when the member gets another name. */
export function useMemberKeys() {
  const known = useRef(new Map<string, number>());
  const count = useRef(0);
  const keyOf = (name: string): number => {
    const key = known.current.get(name) ?? count.current++;
    known.current.set(name, key);
    return key;
  };
  const rename = (name: string, next: string): void => {
    known.current.set(next, keyOf(name));
    known.current.delete(name);
  };
  return { keyOf, rename };
}
