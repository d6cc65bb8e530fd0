import { expect, test, vi } from "vitest";
import { matchesPattern, samplePattern } from "./pattern";

// How long it takes here is no matter, but for the last test.
const clock = vi.spyOn(performance, "now").mockReturnValue(0);

const ANY = { minLength: 0, maxLength: 200, variant: 0 };

test("a sample matches its pattern", () => {
  const patterns = [
    "^[a-z0-9_-]+$", "^\\d+px$", "^#[0-9A-Fa-f]{6}$", "^[0-9a-fA-F]{3}([0-9a-fA-F]{3})?$", "^[\\x20-\\x7E]*$",
    "arn:aws[-a-z0-9]*:[a-z0-9]+:[-a-z0-9]*:[0-9]{12}:bucket/[a-z0-9_-]{3,63}",
    "^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$", "^[^,]+(,[^,]+)*$", "^=", "ICEBERG",
    "^(Time)?SlicerStyle(Light|Dark|Other)\\d$", "^https?:\\/\\/", "^(GET|POST)(,(GET|POST))*$", "^\\\\d{3}(,\\\\d{3})*$",
    "^(?!.*x)[a-z]{3}$", "^(?<year>\\d{4})-\\k<year>$", "^(a|b)\\1$", "^\\p{L}+$", "^\\u0041\\u{42}\\x43$", "^[\\w.]+@\\S+\\.\\D{2,}$",
    "^[^\\W_]{2}\\b.?$", "^(?:25[0-5]|2[0-4]\\d)$", "a{2}b*?c+?", "^$", "[\\]\\-]", "^[+-]$", "^\\t?[\\s\\S]$", "",
    "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|0{8})$",
  ];
  for (const pattern of patterns) {
    const sample = samplePattern(pattern, ANY);
    expect(sample, pattern).toMatch(new RegExp(pattern, /\\p|\\u\{/.test(pattern) ? "u" : ""));
  }
});

test("a sample keeps the wished length, and variants differ", () => {
  const long = samplePattern("^[a-z]+$", { minLength: 300, maxLength: 310, variant: 0 });
  expect(long?.length).toBeGreaterThanOrEqual(300);
  expect(long?.length).toBeLessThanOrEqual(310);
  const variants = [0, 1, 2, 3].map((variant) => samplePattern("^[a-z]{4}$", { ...ANY, variant }));
  expect(new Set(variants).size).toBe(4);
  expect(samplePattern("^[a-z]{4}$", { ...ANY, variant: 2 })).toBe(variants[2]);
});

test("there is none for what cannot be or is not known", () => {
  for (const pattern of ["^a{5}$(?=b)c", "(", "[b-a]", "\\p{Unheard}", "*", "[^\\s\\S]", "(?<!"]) {
    expect(samplePattern(pattern, ANY), pattern).toBeUndefined();
  }
  expect(samplePattern("^a{3}$", { ...ANY, maxLength: 2 })).toBeUndefined();
  expect(samplePattern("(".repeat(300), ANY)).toBeUndefined();
  expect(samplePattern("a".repeat(10_000), ANY)).toBeUndefined();
});

test("usual patterns are run, as far as their texts are of a usual length", () => {
  expect(matchesPattern("^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$", "ada example.org, who is somewhat long to write")).toBe(false);
  expect(matchesPattern("^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$", `GB82${"x".repeat(18)}`)).toBe(false);
  expect(matchesPattern("^[a-z0-9]+(-[a-z0-9]+)*$", "Not")).toBe(false);
  expect(matchesPattern("^[a-z]+$", `${"a".repeat(9_000)}!`)).toBe(false);
  expect(matchesPattern("px|em|rem", "12 inches")).toBe(false);
});

test("a pattern that could take for ever is not tried on a long text", () => {
  const started = process.cpuUsage();
  expect(matchesPattern("^(a+)+$", `${"a".repeat(5_000)}b`)).toBe(true);
  expect(matchesPattern("^(a|a)*$", `${"a".repeat(5_000)}b`)).toBe(true);
  expect(matchesPattern("^(a+)+$", "b")).toBe(false);
  expect(matchesPattern("^a+$", `${"a".repeat(5_000)}b`)).toBe(false);
  expect(samplePattern("^(a{1000}){1000}$", { ...ANY, maxLength: 1e9 })?.length ?? 0).toBeLessThan(5_000);
  expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
});

test("no pattern of a schema keeps the page waiting", () => {
  clock.mockRestore();
  const started = process.cpuUsage();
  const evil = [
    "^(a{1,20}){1,20}$", "(a{1,20}){1,20}$", "^(a?){20}a{20}$", "^(a|a?)+$", "^(a*)*$", "^(?:a+)+(?=b)$", "^(?=(a+)+$)a", "(?<=(a+)+)b",
    "^(\\w+\\s?){1,15}$", "^(a{0,20}a{0,20}a{0,20}a{0,20}a{0,20}a{0,20}){0,20}y$", "^a*a*a*a*a*a*a*y$", "((a{1000}){1000}){1000}",
    "((?:){1000}){1000}", "^(a|aa)+$", "(.*a){12}y", "^(([a-z])+.)+[A-Z]([a-z])+$", "\\(?(a|a)*\\)*y", "^(?:(?:){400}){400}{400}y",
    ...Array.from({ length: 300 }, (_, each) => `^(a?){${each}}a{${each}}$`),
  ];
  for (const pattern of evil) {
    for (const length of [10, 19, 20, 21, 40, 500, 20_000]) matchesPattern(pattern, `${"a".repeat(length)}!`);
    samplePattern(pattern, ANY);
  }
  expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
});
