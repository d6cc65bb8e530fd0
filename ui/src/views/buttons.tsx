import type { JSX } from "preact";
import { ChevronIcon } from "./icons";

type Attributes = JSX.IntrinsicElements["button"];

/** A small button, or one of another look where a class is given. */
export function Button(attributes: Attributes) {
  return <button type="button" class="small-button" {...attributes} />;
}

/** A button that shows a sign alone; `label` is for those who do not see it. */
export function IconButton({ label, ...attributes }: Attributes & { readonly label: string }) {
  return <button type="button" class="form-action icon" aria-label={label} {...attributes} />;
}

/** Opens and closes the parts of a row. */
export function Twist({ name, isOpen, onClick }: { readonly name: string; readonly isOpen: boolean; readonly onClick: () => void }) {
  return (
    <Button class="twist" aria-expanded={isOpen} aria-label={`Parts of ${name}`} onClick={onClick}>
      <ChevronIcon />
    </Button>
  );
}

/** Several of which one is pressed. */
export function Choices<T extends string>({ label, all, chosen, onChoose }: {
  readonly label: string;
  readonly all: readonly (readonly [id: T, label: string])[];
  readonly chosen: T;
  readonly onChoose: (id: T) => void;
}) {
  return (
    <div class="tool-group" role="group" aria-label={label}>
      {all.map(([id, words]) => (
        <Button key={id} aria-pressed={id === chosen} onClick={() => onChoose(id)}>{words}</Button>
      ))}
    </div>
  );
}
