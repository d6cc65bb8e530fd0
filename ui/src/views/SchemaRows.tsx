import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { JsonObject, JsonValue } from "../json/value";
import { visibleName, visibleText } from "../names";
import { type Fact, type Part, childrenOf, describe } from "../schema/describe";
import { ChevronIcon } from "./icons";
import { useMore } from "./useMore";

/** Levels that are open at the start; deeper ones open on demand, so recursion is harmless. */
const OPEN_LEVELS = 1;
/** Rows that are drawn at the start, on one level and on all that are open. */
const ROWS = 100;
const OPEN_ROWS = 600;

function isOpenAtStart(part: Part, level: number): boolean {
  // "each item" of a list has little to say by itself, so it does not count as a level.
  return level < OPEN_LEVELS || (level === OPEN_LEVELS && part.kind === "part");
}

export function SchemaRows({
  schema,
  root,
  level = 0,
  room = OPEN_ROWS,
}: {
  readonly schema: JsonObject;
  readonly root: JsonValue;
  readonly level?: number;
  /** Rows that may be open below this level at the start. */
  readonly room?: number;
}): JSX.Element {
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

function FieldRow({
  part,
  root,
  level,
  room,
}: {
  readonly part: Part;
  readonly root: JsonValue;
  readonly level: number;
  readonly room: number;
}): JSX.Element {
  const row = useMemo(() => describe(part, root), [part, root]);
  const [isOpen, setOpen] = useState(isOpenAtStart(part, level) && row.children <= room);
  const name = row.kind === "property" ? visibleName(row.label) : visibleText(row.label, 200);
  return (
    <li class="field">
      <div class="field-head">
        {row.children > 0 ? (
          <button
            type="button"
            class="twist"
            aria-expanded={isOpen}
            aria-label={`Parts of ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronIcon />
          </button>
        ) : (
          <span class="twist" aria-hidden="true" />
        )}
        <span class={row.kind === "property" ? "field-name" : "field-part"}>
          <bdi>{name}</bdi>
        </span>
        <span class="field-type">{visibleText(row.type, 200)}</span>
        {row.required && <span class="required">required</span>}
      </div>
      <div class="field-body">
        {(row.title || row.description) && (
          <p class="field-text" dir="auto">
            {visibleText(row.description || row.title)}
          </p>
        )}
        <Facts facts={row.facts} />
        {row.children > 0 && isOpen && <SchemaRows schema={row.schema} root={root} level={level + 1} room={room - row.children} />}
      </div>
    </li>
  );
}

export function Facts({ facts }: { readonly facts: readonly Fact[] }): JSX.Element | null {
  if (facts.length === 0) return null;
  return (
    <ul class="facts">
      {facts.map(({ name, value }) => (
        <li key={`${name} ${value}`}>
          <span class="fact-name">{name}</span> <code>{visibleText(value)}</code>
        </li>
      ))}
    </ul>
  );
}
