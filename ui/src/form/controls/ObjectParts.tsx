import { useId, useMemo, useRef, useState } from "preact/hooks";
import { writeJson } from "../../json/value";
import { visibleName } from "../../names";
import { escapeToken } from "../../pointer";
import { exampleText } from "../../schema/exampleText";
import { asSchema, stringList } from "../../schema/keywords";
import { placeholder, startOf } from "../../schema/skeleton";
import type { BodyProps } from "../Body";
import { FieldRow } from "../FieldRow";
import { useForm } from "../context";
import { type Field, furtherMember, membersOf } from "../fields";
import { Button } from "../../views/buttons";
import { useMore } from "../../views/useMore";
import { useMemberKeys } from "../useKeys";
import { AddButton, firstPart, newestPart, placeOfRemoved, useFocusAfter } from "./AddButton";
import { FieldProblems } from "../../views/Problems";

/** Members that are shown at once; the rest waits for a button. */
const PAGE = 60;
/** Names that are offered for a new member. */
const MAX_OFFERED = 200;

/** The members of an object: those that the schema names, and those that may be added. */
export function ObjectParts({ field, view, level, frame }: BodyProps) {
  const form = useForm();
  const { node, path, order } = field;
  const members = useMemo(
    () => (node?.kind === "object" ? membersOf(view.schema, node, path) : []),
    [view.schema, node, path],
  );
  const { shown, more } = useMore(members, PAGE);
  const parts = useRef<HTMLDivElement>(null);
  const focusAfter = useFocusAfter(parts);
  const keys = useMemberKeys();
  if (node?.kind !== "object") {
    const add = (): void => {
      form.set(path, writeJson(startOf(view.schema, "object", form.schema)), order);
      focusAfter(firstPart);
    };
    return <AddButton id={frame.control} describedBy={frame.described} text="Add" what={frame.label} onAdd={add} />;
  }
  const further = furtherMember(view.schema);
  const strays = form.problems.stray(path, new Set(shown.map(({ name }) => escapeToken(name))));
  const addMember = (name: string): void => {
    form.set([...path, name], writeJson(placeholder(further ?? {}, form.schema)));
    focusAfter(newestPart);
  };
  return (
    <div class={field.role === "root" ? "form-parts at-root" : "form-parts"} ref={parts} role="group" aria-label={frame.label}>
      <FieldProblems problems={strays} />
      {shown.map((each, index) => (
        <Member
          key={keys.keyOf(each.name)}
          field={each}
          level={level}
          taken={members}
          onRename={(name) => {
            keys.rename(each.name, name);
            form.rename(each.path, name);
          }}
          onRemove={() => {
            form.remove(each.path);
            focusAfter(placeOfRemoved(index));
          }}
        />
      ))}
      {more}
      {further !== null && <NewMember taken={members} schema={view.schema} label={frame.label} onAdd={addMember} />}
      {members.length === 0 && further === null && <p class="form-note">It has no members.</p>}
    </div>
  );
}

function Member({ field, level, taken, onRename, onRemove }: {
  readonly field: Field;
  readonly level: number;
  readonly taken: readonly Field[];
  readonly onRename: (name: string) => void;
  readonly onRemove: () => void;
}) {
  if (field.role !== "other") return <FieldRow field={field} level={level + 1} />;
  const name = <MemberName field={field} taken={taken} onRename={onRename} />;
  return <FieldRow field={field} level={level + 1} nameControl={name} onRemove={onRemove} />;
}

/** The key of a member that is not the schema's: it can be changed, the value stays as it is. */
function MemberName({ field, taken, onRename }: {
  readonly field: Field;
  readonly taken: readonly Field[];
  readonly onRename: (name: string) => void;
}) {
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

/** Where a member gets its name before it gets its value. */
function NewMember({ taken, schema, label, onAdd }: {
  readonly taken: readonly Field[];
  readonly schema: BodyProps["view"]["schema"];
  readonly label: string;
  readonly onAdd: (name: string) => void;
}) {
  const id = useId();
  const [name, setName] = useState("");
  const isTaken = taken.some((each) => each.name === name && (each.node !== undefined || each.role === "property"));
  const add = (): void => {
    if (isTaken) return;
    onAdd(name);
    setName("");
  };
  const offered = useMemo(() => stringList(asSchema(schema["propertyNames"])["enum"]).slice(0, MAX_OFFERED), [schema]);
  const pattern = Object.keys(asSchema(schema["patternProperties"]))[0];
  const sample = useMemo(() => (pattern === undefined ? undefined : exampleText({ pattern }, 0)), [pattern]);
  return (
    <div class="form-new">
      <input
        class="form-input"
        type="text"
        aria-label={`Name of a new member of ${label}`}
        aria-invalid={isTaken}
        aria-describedby={isTaken ? id : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={sample === undefined ? "new name" : `new name, like ${visibleName(sample)}`}
        list={offered.length > 0 ? `${id}-names` : undefined}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          add();
        }}
      />
      {offered.length > 0 && (
        <datalist id={`${id}-names`}>{offered.map((each) => <option key={each} value={each} />)}</datalist>
      )}
      <Button disabled={isTaken} onClick={add}>Add member</Button>
      {isTaken && <span class="form-draft" id={id}>This name is taken.</span>}
    </div>
  );
}
