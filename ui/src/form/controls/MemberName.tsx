import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { visibleName } from "../../names";
import type { Field } from "../fields";

/** The key of a member that is not the schema's: it can be changed, the value stays as it is. */
export function MemberName({
  field,
  taken,
  onRename,
}: {
  readonly field: Field;
  readonly taken: readonly Field[];
  readonly onRename: (name: string) => void;
}): JSX.Element {
  const [typed, setTyped] = useState<string | null>(null);
  const isTaken = typed !== null && typed !== field.name && taken.some(({ name }) => name === typed);
  const finish = (): void => {
    if (typed !== null && typed !== field.name && !isTaken) onRename(typed);
    setTyped(null);
  };
  return (
    <input
      class="form-input form-key"
      type="text"
      aria-label={`Name of ${visibleName(field.name)}`}
      aria-invalid={isTaken}
      autocomplete="off"
      spellcheck={false}
      value={typed ?? field.name}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === "Enter") finish();
        if (event.key === "Escape") setTyped(null);
      }}
    />
  );
}
