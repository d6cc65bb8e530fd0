/** What a format looks like: for the hint in an empty field, and for examples. */
const SAMPLES: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  time: "14:30:00Z",
  "date-time": "2026-01-31T14:30:00Z",
  duration: "PT1H30M",
  email: "ada@example.org",
  "idn-email": "ada@example.org",
  hostname: "example.org",
  "idn-hostname": "example.org",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  cidrv4: "192.0.2.0/24",
  cidrv6: "2001:db8::/32",
  uri: "https://example.org/",
  url: "https://example.org/",
  iri: "https://example.org/",
  "uri-reference": "/path",
  "iri-reference": "/path",
  "uri-template": "/items/{id}",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  "json-pointer": "/a/b",
  "relative-json-pointer": "0/a",
  regex: "^[a-z]+$",
  byte: "ZXhhbXBsZQ==",
  base64: "ZXhhbXBsZQ==",
  binary: "ZXhhbXBsZQ==",
  json: "{}",
  path: "notes/example.md",
};

export function sampleOf(format: string): string | undefined {
  return Object.hasOwn(SAMPLES, format) ? SAMPLES[format] : undefined;
}

const DATE = "\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])";
const TIME = "(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)";
const CHECKS: Readonly<Record<string, RegExp>> = {
  date: new RegExp(`^${DATE}$`),
  time: new RegExp(`^${TIME}$`, "i"),
  "date-time": new RegExp(`^${DATE}T${TIME}$`, "i"),
  email: /^[^\s@]+@[^\s@]+$/,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/,
  uri: /^[a-z][a-z0-9+.-]*:[^\s<>"\\^`{|}]*$/i,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};

/** Whether a text has a format, roughly; a format that is not known accepts anything. */
export function isFormat(format: string, text: string): boolean {
  const check = Object.hasOwn(CHECKS, format) ? CHECKS[format] : undefined;
  return check === undefined || check.test(text);
}

/** Formats whose text is the base64 of a file. */
export function isFileFormat(format: string): boolean {
  return ["byte", "base64", "binary"].includes(format);
}
