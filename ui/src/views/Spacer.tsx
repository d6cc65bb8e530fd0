/** In the place of the rows of a table that are not drawn. */
export function Spacer({ height }: { readonly height: number }) {
  return height > 0 ? <tr aria-hidden="true" style={{ height: `${height}px` }}><td colSpan={7} /></tr> : null;
}
