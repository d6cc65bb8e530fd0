import type { JSX } from "preact";
import { writeJson } from "../json/value";
import { CrossIcon } from "../views/icons";
import { useForm } from "./context";
import { type Field, isOptional, isRemovable } from "./fields";
import { startOf } from "./start";
import { TYPES, type View } from "./view";

interface Props {
  readonly field: Field;
  readonly view: View;
  readonly name: string;
  readonly isJson: boolean;
  readonly onJson: (isJson: boolean) => void;
  readonly onRemove: () => void;
}

/** What can be done with a place besides filling it. The quiet ones show when the place is used. */
export function FieldActions({ field, view, name, isJson, onJson, onRemove }: Props): JSX.Element | null {
  const form = useForm();
  const { node, path, order } = field;
  const { kind } = view.shape;
  const isNull = node?.kind === "null";
  const set = (json: string): void => form.set(path, json, order);
  const toggleNull = (): void => {
    if (!isNull) set("null");
    else if (isOptional(field)) form.remove(path);
    else set(writeJson(startOf(view.schema, TYPES[kind] ?? "null", form.schema)));
  };
  const canBeEmpty = kind === "text" && isOptional(field) && !(node?.kind === "string" && node.value === "");
  const canBeNull = view.isNullable && kind !== "union" && kind !== "choice";
  const canBeJson = kind === "object" || kind === "array" || kind === "union" || kind === "json";
  return (
    <span class="form-actions">
      {canBeEmpty && (
        <button type="button" class="form-action quiet" onClick={() => set('""')}>
          <span class="off-screen">Set {name} to </span>empty text
        </button>
      )}
      {canBeNull && (
        <button
          type="button"
          class={`form-action ${isNull ? "" : "quiet"}`}
          aria-pressed={isNull}
          aria-label={`${name} is null`}
          onClick={toggleNull}
        >
          null
        </button>
      )}
      {canBeJson && kind !== "json" && (
        <button
          type="button"
          class={`form-action ${isJson ? "" : "quiet"}`}
          aria-pressed={isJson}
          aria-label={`${name} as JSON`}
          onClick={() => onJson(!isJson)}
        >
          JSON
        </button>
      )}
      {isRemovable(field) && (
        <button
          type="button"
          class="form-action icon"
          aria-label={field.role === "property" ? `Leave ${name} out` : `Remove ${name}`}
          title={field.role === "property" ? "Leave out" : "Remove"}
          onClick={onRemove}
        >
          <CrossIcon />
        </button>
      )}
    </span>
  );
}
