import { useMemo, useState } from "preact/hooks";
import type { JsonObject, JsonValue } from "../json/value";
import { visibleName, visibleText } from "../names";
import type { Schema } from "../net/read";
import { type Fact, type Part, childrenOf, describe, factsOf, typeText } from "../schema/describe";
import { resolve } from "../schema/resolve";
import { CopyButton } from "./CopyButton";
import { LongText } from "./LongText";
import { Card } from "./Notice";
import { Tabs } from "./Tabs";
import { Twist } from "./buttons";
import { useMore } from "./useMore";

export function SchemaCard({ title, schema }: { readonly title: string; readonly schema: Schema }) {
  return (
    <Card title={title}>
      <Tabs
        label={`${title}: view`}
        aside={<CopyButton text={schema.text} what={title.toLowerCase()} />}
        tabs={[
          { id: "fields", label: "Fields", body: <Fields schema={schema} /> },
          { id: "json", label: "JSON", body: <LongText text={schema.text} label={`${title} as JSON`} /> },
        ]}
      />
    </Card>
  );
}

function Fields({ schema: { value } }: { readonly schema: Schema }) {
  const top = useMemo(() => resolve(value, value).schema, [value]);
  const isEmpty = useMemo(() => childrenOf(top, value).length === 0, [top, value]);
  return (
    <>
      <Facts facts={factsOf(top)} />
      {isEmpty ? <p class="hint">{emptyText(typeText(top, value))}</p> : <SchemaRows schema={top} root={value} />}
    </>
  );
}

function emptyText(type: string): string {
  if (type === "any") return "The schema accepts any value.";
  return type === "object" ? "The schema names no fields." : `Any value of this type: ${type}.`;
}

/** Levels that are open at the start; deeper ones open on demand, so recursion is harmless. */
const OPEN_LEVELS = 1;
/** Rows that are drawn at the start, on one level and on all that are open. */
const ROWS = 100;
const OPEN_ROWS = 600;

function isOpenAtStart(part: Part, level: number): boolean {
  // "each item" of a list has little to say by itself, so it does not count as a level.
  return level < OPEN_LEVELS || (level === OPEN_LEVELS && part.kind === "part");
}

function SchemaRows({ schema, root, level = 0, room = OPEN_ROWS }: {
  readonly schema: JsonObject;
  readonly root: JsonValue;
  readonly level?: number;
  /** Rows that may be open below this level at the start. */
  readonly room?: number;
}) {
  const parts = useMemo(() => childrenOf(schema, root), [schema, root]);
  const { shown, more } = useMore(parts, ROWS);
  return (
    <>
      <ul class="fields">
        {shown.map((part, index) => (
          <FieldRow key={index} part={part} root={root} level={level} room={room / Math.min(parts.length, ROWS)} />
        ))}
      </ul>
      {more}
    </>
  );
}

function FieldRow({ part, root, level, room }: {
  readonly part: Part;
  readonly root: JsonValue;
  readonly level: number;
  readonly room: number;
}) {
  const row = useMemo(() => describe(part, root), [part, root]);
  const [isOpen, setOpen] = useState(isOpenAtStart(part, level) && row.children <= room);
  const name = row.kind === "property" ? visibleName(row.label) : visibleText(row.label, 200);
  return (
    <li class="field">
      <div class="field-head">
        {row.children > 0 ? <Twist name={name} isOpen={isOpen} onClick={() => setOpen(!isOpen)} /> : (
          <span class="twist" aria-hidden="true" />
        )}
        <span class={row.kind === "property" ? "field-name" : "field-part"}><bdi>{name}</bdi></span>
        <span class="field-type">{visibleText(row.type, 200)}</span>
        {row.required && <span class="required">required</span>}
      </div>
      <div class="field-body">
        {(row.title || row.description) && (
          <p class="field-text" dir="auto">{visibleText(row.description || row.title)}</p>
        )}
        <Facts facts={row.facts} />
        {row.children > 0 && isOpen && <SchemaRows schema={row.schema} root={root} level={level + 1} room={room - row.children} />}
      </div>
    </li>
  );
}

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <ul class="facts">
      {facts.map(({ name, value }) => (
        <li key={`${name} ${value}`}><span class="fact-name">{name}</span> <code>{visibleText(value)}</code></li>
      ))}
    </ul>
  );
}
