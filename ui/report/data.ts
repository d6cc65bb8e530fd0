/** What the report holds: `toolgauge.auditing.report.document_of` writes it. */
export type Counts = Readonly<Record<string, number>>;

export type Reason = {
  readonly path: string;
  readonly message: string;
  readonly keyword: string | null;
};

export type Example = {
  readonly file: string;
  readonly line: number;
  readonly call: number;
  readonly errors: readonly Reason[];
  readonly arguments: string;
  readonly at: string;
  readonly mark: readonly [number, number] | null;
  readonly missing: string | null;
  readonly isCut: boolean;
};

export type Kind = {
  readonly tool: string;
  readonly verdict: string;
  readonly keyword: string | null;
  readonly path: string;
  readonly count: number;
  readonly examples: readonly Example[];
};

export type Report = {
  readonly version: string;
  readonly inputs: readonly string[];
  readonly moreInputs: number;
  readonly rows: number;
  readonly calls: number;
  readonly failures: number;
  readonly verdicts: Counts;
  readonly tools: Readonly<Record<string, Counts>>;
  readonly notes: Counts;
  readonly mappings: Counts;
  readonly times: Readonly<Record<string, Counts>>;
  readonly kinds: readonly Kind[];
};

/** Every verdict in the order of the legend, with its words and the colour it has. */
export const VERDICTS: readonly (readonly [string, string])[] = [
  ["valid", "valid"],
  ["invalid", "break their contract"],
  ["unknown_tool", "name an unknown tool"],
  ["broken_contract", "have a contract that is broken itself"],
  ["unparsable_arguments", "have arguments that are not JSON"],
  ["wrong_shape", "have arguments that are no object"],
  ["unparsable_row", "stand in rows that are not JSON"],
  ["malformed_call", "are no calls"],
  ["no_call", "rows hold no call"],
];

const GOOD = new Set(["valid", "no_call"]);

export function failuresOf(counts: Counts): number {
  return Object.entries(counts).reduce((sum, [verdict, n]) => (GOOD.has(verdict) ? sum : sum + n), 0);
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0);
}

/** What a kind of failure is called: the keyword that failed, or the verdict. */
export function whatOf(kind: Pick<Kind, "keyword" | "verdict">): string {
  return kind.verdict === "invalid" && kind.keyword ? kind.keyword : kind.verdict.replaceAll("_", " ");
}

export type Bar = { readonly name: string; readonly count: number; readonly of?: number };

/** The failures by some name, the most frequent first. */
export function failuresBy(kinds: readonly Kind[], name: (kind: Kind) => string): Bar[] {
  const sums = new Map<string, number>();
  for (const kind of kinds) sums.set(name(kind), (sums.get(name(kind)) ?? 0) + kind.count);
  return sorted([...sums].map(([each, count]) => ({ name: each, count })));
}

/** The calls that failed by tool, with how many calls the tool had. */
export function failuresByTool(report: Report): Bar[] {
  const bars = Object.entries(report.tools).map(([name, counts]) => ({
    name,
    count: failuresOf(counts),
    of: totalOf(counts),
  }));
  return sorted(bars.filter(({ count }) => count > 0));
}

function sorted(bars: Bar[]): Bar[] {
  return bars.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

export function number(value: number): string {
  return value.toLocaleString("en-US");
}

/** A share in percent; what is neither none nor all never reads as that. */
export function percent(part: number, whole: number): string {
  const value = whole > 0 ? (100 * part) / whole : 0;
  if (value > 0 && value < 0.05) return "< 0.1 %";
  if (value < 100 && value > 99.95) return "> 99.9 %";
  return `${value.toFixed(1)} %`;
}
