/** The names of a table's columns; `isUnseen` where only a screen reader needs them. */
export function Head({ names, isUnseen = true }: { readonly names: readonly string[]; readonly isUnseen?: boolean }) {
  return (
    <thead class={isUnseen ? "unseen" : undefined}>
      <tr>{names.map((each) => <th key={each} scope="col">{each}</th>)}</tr>
    </thead>
  );
}
