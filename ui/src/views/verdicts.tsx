import type { Sums, VerdictOf } from "../net/judged";

/** A sign and its words: never the colour alone. */
const SIGNS: Record<VerdictOf, readonly [sign: string, tone: string, words: string]> = {
  accepted: ["✓", "good", "accepts it"],
  "accepted-with-warnings": ["!", "warn", "accepts it, with warnings"],
  refused: ["✕", "bad", "refuses it"],
};

export function VerdictSign({ verdict }: { readonly verdict: VerdictOf }) {
  const [sign, tone] = SIGNS[verdict];
  return <span class={`sign ${tone}`} aria-hidden="true">{sign}</span>;
}

export function verdictWords(verdict: VerdictOf): string {
  return SIGNS[verdict][2];
}

/** `2 errors, 1 warning`; empty where there is nothing to count. */
export function countWords({ errors, warnings, advice }: Sums): string {
  const parts: readonly (readonly [number, string])[] = [
    [errors, errors === 1 ? "error" : "errors"],
    [warnings, warnings === 1 ? "warning" : "warnings"],
    [advice, "advice"],
  ];
  return parts.flatMap(([count, noun]) => (count > 0 ? [`${count} ${noun}`] : [])).join(", ");
}

/** In the order in which people ask; a target stands in the first group that it is of. */
export const GROUPS = [
  ["providers", "Providers"],
  ["runtimes", "Runtimes"],
  ["clients", "Clients"],
  ["specifications", "Specifications"],
  ["strict", "Strict"],
] as const;

export function inGroups<T extends { readonly groups: readonly string[] }>(
  targets: readonly T[],
): readonly { readonly label: string; readonly targets: readonly T[] }[] {
  const known = GROUPS.map(([id, label]) => ({
    label,
    targets: targets.filter(({ groups }) => GROUPS.find(([each]) => groups.includes(each))?.[0] === id),
  }));
  const rest = targets.filter(({ groups }) => !GROUPS.some(([id]) => groups.includes(id)));
  return [...known, { label: "Others", targets: rest }].filter((group) => group.targets.length > 0);
}
