/** A field that narrows what stands below it. */
export function SearchField({ label, placeholder, value, onValue }: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}) {
  return (
    <label class="inline-field">
      <span class="off-screen">{label}</span>
      <input
        type="search"
        placeholder={placeholder}
        spellcheck={false}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </label>
  );
}
