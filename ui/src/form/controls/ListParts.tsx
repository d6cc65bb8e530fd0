import { useRef } from "preact/hooks";
import { type JsonObject, type JsonValue, isArray, writeJson } from "../../json/value";
import { placeholder, startOf } from "../../schema/skeleton";
import { Button, IconButton } from "../../views/buttons";
import { DownIcon, UpIcon } from "../../views/icons";
import { useMore } from "../../views/useMore";
import type { BodyProps } from "../Body";
import { FieldRow } from "../FieldRow";
import { useForm } from "../context";
import { useItemKeys } from "../useKeys";
import { itemsOf, schemaOfItem, takesMore } from "../fields";
import { AddButton, movedItem, newestPart, placeOfRemoved, useFocusAfter } from "./AddButton";
import { FieldProblems } from "../../views/Problems";

/** Items that are shown at once; ten thousand would make each key stroke slow. */
const PAGE = 40;

/** The items of a list or a tuple, in their order, which can be changed. */
export function ListParts({ field, view, level, frame }: BodyProps) {
  const form = useForm();
  const parts = useRef<HTMLDivElement>(null);
  const focusAfter = useFocusAfter(parts);
  const { node, path, order } = field;
  const own = view.schema;
  const items = itemsOf(own, node, path);
  const count = items.length;
  const { shown, more, reveal } = useMore(items, PAGE, 4 * PAGE);
  const keys = useItemKeys(items.map((each) => (each.node ? form.text.slice(each.node.from, each.node.to) : "")));
  const move = (index: number, which: "up" | "down"): void => {
    const first = which === "up" ? index - 1 : index;
    keys.swap(first);
    form.swap(path, first);
    focusAfter(movedItem(which === "up" ? first : first + 1, which));
  };
  const remove = (index: number): void => {
    keys.remove(index);
    form.remove([...path, index]);
    focusAfter(placeOfRemoved(index));
  };
  const add = (): void => {
    const item = writeJson(placeholder(schemaOfItem(own, count), form.schema));
    if (node?.kind === "array") form.set([...path, count], item);
    else form.set(path, writeJson(newList(own, form.schema)), order);
    reveal(count + 1);
    focusAfter(newestPart);
  };
  const button = (
    <AddButton id={frame.control} describedBy={frame.described} text="Add item" what={`to ${frame.label}`} onAdd={add} />
  );
  if (node?.kind !== "array") {
    return (
      <div class="form-line" ref={parts}>
        {button}
        {field.role === "property" && !field.isRequired && (
          <Button onClick={() => form.set(path, "[]", order)}>
            <span class="off-screen">Set {frame.label} to an </span>empty list
          </Button>
        )}
      </div>
    );
  }
  const strays = form.problems.stray(path, new Set(shown.map((_, index) => String(index))));
  return (
    <div class="form-parts form-items" ref={parts} role="group" aria-label={frame.label}>
      <FieldProblems problems={strays} />
      {shown.map((each, index) => (
        <div class="form-item" key={keys.keys[index]}>
          <FieldRow field={each} level={level + 1} onRemove={() => remove(index)} />
          {count > 1 && (
            <span class="form-order">
              {([["up", 0, UpIcon], ["down", count - 1, DownIcon]] as const).map(([way, end, Icon]) => (
                <IconButton
                  key={way}
                  disabled={index === end}
                  label={`Move item ${index + 1} of ${frame.label} ${way}`}
                  onClick={() => move(index, way)}
                >
                  <Icon />
                </IconButton>
              ))}
            </span>
          )}
        </div>
      ))}
      {more}
      {takesMore(own, count) ? button : <p class="form-note">No more items are allowed.</p>}
    </div>
  );
}

/** A new list has what the schema asks for, and at least the one item that was wished. */
function newList(own: JsonObject, root: JsonValue): JsonValue {
  const made = startOf(own, "array", root);
  return isArray(made) && made.length > 0 ? made : [placeholder(schemaOfItem(own, 0), root)];
}
