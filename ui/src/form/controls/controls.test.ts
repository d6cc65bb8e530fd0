import { expect, test } from "vitest";
import { sizeText, toBase64 } from "./FileControl";
import { pickedText } from "./MomentPicker";
import { isPlainText } from "./controls";

test("what is picked becomes RFC 3339: seconds and an offset", () => {
  expect(pickedText("date", "", "2026-01-31", 60)).toBe("2026-01-31");
  expect(pickedText("time", "", "14:30", 0)).toBe("14:30:00Z");
  expect(pickedText("date-time", "", "2026-01-31T14:30", 60)).toBe("2026-01-31T14:30:00+01:00");
  expect(pickedText("date-time", "", "2026-01-31T14:30:15", -210)).toBe("2026-01-31T14:30:15-03:30");
});

test("a moment that is written keeps its offset and its fraction", () => {
  const day = (before: string): string => pickedText("date-time", before, "2026-02-01T14:30", 60);
  expect(day("2026-01-31T14:30:00Z")).toBe("2026-02-01T14:30:00Z");
  expect(day("2026-01-31T14:30:00.250-05:00")).toBe("2026-02-01T14:30:00.250-05:00");
  expect(day("2026-01-31 14:30:00z")).toBe("2026-02-01T14:30:00z");
  for (const none of ["", "2026-01-31", "2026-01-31T14:30:00", "soon"]) expect(day(none)).toBe("2026-02-01T14:30:00+01:00");
  expect(day("2026-01-31T14:30:00.5")).toBe("2026-02-01T14:30:00.5+01:00");
  expect(pickedText("time", "14:30:00.5+09:30", "15:00", 60)).toBe("15:00:00.5+09:30");
  expect(pickedText("time", "14:30", "15:00", 60)).toBe("15:00:00+01:00");
  expect(pickedText("date", "2026-01-31", "2026-02-01", 60)).toBe("2026-02-01");
});

test("files become base64, of any length", () => {
  for (const size of [0, 1, 2, 3, 8_191, 8_192, 8_193, 50_000]) {
    const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 7) % 256);
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
  }
  expect([sizeText(999), sizeText(1_500), sizeText(2_500_000)]).toEqual(["999 bytes", "1.5 kB", "2.5 MB"]);
});

test("a text that a field would change is not given to one", () => {
  for (const text of ["", "a\nb\tc", "\ud83d\ude00", "<b>"]) expect(isPlainText(text)).toBe(true);
  for (const text of ["a\rb", "\u0000", "\ud800", "\udc00x", "x".repeat(200_000)]) expect(isPlainText(text)).toBe(false);
});
