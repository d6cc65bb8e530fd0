import { writeJson } from "../json/value";
import { Button, IconButton } from "../views/buttons";
import { CrossIcon } from "../views/icons";
import { useForm } from "./context";
import { type Field, isOptional, isRemovable } from "./fields";
import { startOf } from "../schema/skeleton";
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
export function FieldActions({ field, view, name, isJson, onJson, onRemove }: Props) {
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
  const canBeJson = kind === "object" || kind === "array" || kind === "union";
  return (
    <span class="form-actions">
      {canBeEmpty && (
        <Button class="form-action quiet" onClick={() => set('""')}>
          <span class="off-screen">Set {name} to </span>empty text
        </Button>
      )}
      {canBeNull && <Switch isOn={isNull} label={`${name} is null`} onClick={toggleNull}>null</Switch>}
      {canBeJson && <Switch isOn={isJson} label={`${name} as JSON`} onClick={() => onJson(!isJson)}>JSON</Switch>}
      {isRemovable(field) && (
        <IconButton
          label={field.role === "property" ? `Leave ${name} out` : `Remove ${name}`}
          title={field.role === "property" ? "Leave out" : "Remove"}
          onClick={onRemove}
        >
          <CrossIcon />
        </IconButton>
      )}
    </span>
  );
}

function Switch({ isOn, label, onClick, children }: {
  readonly isOn: boolean;
  readonly label: string;
  readonly onClick: () => void;
  readonly children: string;
}) {
  return (
    <Button class={`form-action ${isOn ? "" : "quiet"}`} aria-pressed={isOn} aria-label={label} onClick={onClick}>
      {children}
    </Button>
  );
}
