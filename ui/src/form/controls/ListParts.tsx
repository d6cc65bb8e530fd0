import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { type JsonObject, type JsonValue, isArray, writeJson } from "../../json/value";
import { placeholder } from "../../schema/skeleton";
import { DownIcon, UpIcon } from "../../views/icons";
import type { BodyProps } from "../Body";
import { FieldRow } from "../FieldRow";
import { ProblemList } from "../ProblemList";
import { useForm } from "../context";
import { useItemKeys } from "../useKeys";
import { itemsOf, schemaOfItem, takesMore } from "../fields";
import { startOf } from "../start";
import { AddButton, movedItem, newestPart, placeOfRemoved, useFocusAfter } from "./AddButton";

/** Items that are shown at once; ten thousand would make each key stroke slow. */
const PAGE = 40;

/** The items of a list or a tuple, in their order, which can be changed. */
export function ListParts({ field, view, level, frame }: BodyProps): JSX.Element {
  const form = useForm();
  const [limit, setLimit] = useState(PAGE);
  const parts = useRef<HTMLDivElement>(null);
  const focusAfter = useFocusAfter(parts);
  const { node, path, order } = field;
  const own = view.schema;
  const items = itemsOf(own, node, path);
  const count = items.length;
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
    setLimit(Math.max(limit, count + 1));
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
          <button type="button" class="small-button" onClick={() => form.set(path, "[]", order)}>
            <span class="off-screen">Set {frame.label} to an </span>empty list
          </button>
        )}
      </div>
    );
  }
  const shown = items.slice(0, limit);
  const strays = form.problems.stray(path, new Set(shown.map((_, index) => String(index))));
  return (
    <div class="form-parts form-items" ref={parts} role="group" aria-label={frame.label}>
      <ProblemList problems={strays} />
      {shown.map((each, index) => (
        <div class="form-item" key={keys.keys[index]}>
          <FieldRow field={each} level={level + 1} onRemove={() => remove(index)} />
          {count > 1 && (
            <span class="form-order">
              <button
                type="button"
                class="form-action icon"
                disabled={index === 0}
                aria-label={`Move item ${index + 1} of ${frame.label} up`}
                onClick={() => move(index, "up")}
              >
                <UpIcon />
              </button>
              <button
                type="button"
                class="form-action icon"
                disabled={index === count - 1}
                aria-label={`Move item ${index + 1} of ${frame.label} down`}
                onClick={() => move(index, "down")}
              >
                <DownIcon />
              </button>
            </span>
          )}
        </div>
      ))}
      {shown.length < count && (
        <button type="button" class="link-button form-rest" onClick={() => setLimit(limit + 4 * PAGE)}>
          Show more of {(count - shown.length).toLocaleString("en")}
        </button>
      )}
      {takesMore(own, count) ? button : <p class="form-note">No more items are allowed.</p>}
    </div>
  );
}

/** A new list has what the schema asks for, and at least the one item that was wished. */
function newList(own: JsonObject, root: JsonValue): JsonValue {
  const made = startOf(own, "array", root);
  return isArray(made) && made.length > 0 ? made : [placeholder(schemaOfItem(own, 0), root)];
}
