import { failuresOf, totalOf, type Counts } from "./data";

export type Series = {
  /** Seconds since 1970, the start of each bucket, without gaps. */
  readonly starts: readonly number[];
  readonly calls: readonly number[];
  readonly failures: readonly number[];
  /** Seconds that a bucket covers. */
  readonly step: number;
  /** Calls without a time. */
  readonly timeless: number;
};

const HOUR = 3600;
const STEPS = [HOUR, 6 * HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR, 365 * 24 * HOUR];
const MOST = 200;

/** Put the hours of a report into at most about 200 buckets that follow each other. */
export function seriesOf(times: Readonly<Record<string, Counts>>): Series {
  const hours: (readonly [number, Counts])[] = [];
  let timeless = 0;
  for (const [hour, counts] of Object.entries(times)) {
    const start = Date.parse(`${hour}:00:00Z`) / 1000;
    if (Number.isNaN(start)) timeless += totalOf(counts);
    else hours.push([start, counts]);
  }
  if (hours.length === 0) return { starts: [], calls: [], failures: [], step: HOUR, timeless };
  const first = hours.reduce((least, [start]) => Math.min(least, start), Infinity);
  const last = hours.reduce((most, [start]) => Math.max(most, start), -Infinity);
  const step = STEPS.find((each) => (last - first) / each < MOST) ?? STEPS.at(-1)!;
  const from = Math.floor(first / step);
  const size = Math.floor(last / step) - from + 1;
  const calls = new Array<number>(size).fill(0);
  const failures = new Array<number>(size).fill(0);
  for (const [start, counts] of hours) {
    const place = Math.floor(start / step) - from;
    calls[place]! += totalOf(counts);
    failures[place]! += failuresOf(counts);
  }
  const starts = Array.from({ length: size }, (_, place) => (from + place) * step);
  return { starts, calls, failures, step, timeless };
}

export function nameOf(start: number, step: number): string {
  const text = new Date(start * 1000).toISOString();
  return step < 24 * HOUR ? `${text.slice(0, 10)} ${text.slice(11, 16)}` : text.slice(0, 10);
}

export function nameOfStep(step: number): string {
  if (step < 24 * HOUR) return step === HOUR ? "hour" : `${step / HOUR} hours`;
  return step === 24 * HOUR ? "day" : `${step / HOUR / 24} days`;
}
