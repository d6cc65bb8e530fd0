import type { JsonObject } from "../json/value";
import { accepts } from "./accepts";
import { sampleOf } from "./formats";
import { boundOf } from "./keywords";
import { samplePattern } from "./pattern";

/** Characters; a schema may ask for a text that no page could show. */
const MAX_LENGTH = 20_000;

/** A text that fits; `undefined` where none was found. */
export function exampleText(schema: JsonObject, variant: number): string | undefined {
  const minLength = boundOf(schema, "minLength") ?? 0;
  const maxLength = boundOf(schema, "maxLength") ?? Infinity;
  if (minLength > MAX_LENGTH || maxLength < minLength) return undefined;
  const { pattern, contentEncoding } = schema;
  const format = contentEncoding === "base64" ? "byte" : schema["format"];
  const fits = (text: string | undefined): text is string =>
    text !== undefined && accepts({ ...schema, type: "string" }, text, {});
  const sample = typeof format === "string" ? sampleOf(format) : undefined;
  const formatted = sample === undefined ? undefined : varied(sample, typeof format === "string" ? format : "", variant);
  if (fits(formatted)) return formatted;
  const plain = sized(variant === 0 ? "example" : `example ${variant + 1}`, minLength, maxLength);
  if (typeof pattern !== "string") return sample === undefined ? plain : sized(formatted ?? "", minLength, maxLength);
  const wish = { minLength: Math.max(minLength, 1), maxLength, variant };
  const made = samplePattern(pattern, wish) ?? samplePattern(pattern, { ...wish, minLength });
  return fits(plain) && made === undefined ? plain : (made ?? plain);
}

function sized(text: string, least: number, most: number): string {
  const characters = [...text];
  if (characters.length > most) return characters.slice(characters.length - most).join("");
  if (characters.length >= least) return text;
  return `${text} `.repeat(Math.ceil(least / (characters.length + 1))).slice(0, least - 1) + "x";
}

/** The sample of a format, another one for each variant. */
function varied(sample: string, format: string, variant: number): string {
  if (variant === 0) return sample;
  const number = String(variant % 10);
  switch (format) {
    case "date":
      return sample.replace(/\d$/, number);
    case "time":
    case "date-time":
      return sample.replace(/00Z$/, `${String(variant % 60).padStart(2, "0")}Z`);
    case "uuid":
      return sample.replace(/.{3}$/, String(variant % 1000).padStart(3, "0"));
    case "email":
    case "idn-email":
      return `ada${variant + 1}@example.org`;
    case "hostname":
    case "idn-hostname":
      return `host${variant + 1}.example.org`;
    case "ipv4":
      return `192.0.2.${(variant % 250) + 1}`;
    case "ipv6":
      return `2001:db8::${(variant + 1).toString(16)}`;
    default:
      return `${sample}${variant + 1}`;
  }
}
