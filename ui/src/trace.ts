/** Random hexadecimal digits; two for each byte. */
function hex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((each) => each.toString(16).padStart(2, "0")).join("");
}

/** A new trace: its id, and the header that carries it (W3C Trace Context, version 00, sampled). */
export function newTrace(): { readonly id: string; readonly header: string } {
  const id = hex(16);
  return { id, header: `00-${id}-${hex(8)}-01` };
}
