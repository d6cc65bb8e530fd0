import { expect, test } from "vitest";
import { sizeText, toBase64 } from "./FileControl";
import { withOffset } from "./MomentPicker";
import { isPlainText } from "./TextControl";

test("what is picked becomes RFC 3339: seconds and an offset", () => {
  expect(withOffset("date", "2026-01-31", 60)).toBe("2026-01-31");
  expect(withOffset("time", "14:30", 0)).toBe("14:30:00Z");
  expect(withOffset("date-time", "2026-01-31T14:30", 60)).toBe("2026-01-31T14:30:00+01:00");
  expect(withOffset("date-time", "2026-01-31T14:30:15", -210)).toBe("2026-01-31T14:30:15-03:30");
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
