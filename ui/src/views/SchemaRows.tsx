import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { JsonObject, JsonValue } from "../json/value";
import { visibleName, visibleText } from "../names";
import { type Fact, type Row, childrenOf } from "../schema/describe";
import { ChevronIcon } from "./icons";

/** Levels that are open at the start; deeper ones open on demand, so recursion is harmless. */
const OPEN_LEVELS = 1;

function isOpenAtStart(row: Row, level: number): boolean {
  // "each item" of a list has little to say by itself, so it does not count as a level.
  return level < OPEN_LEVELS || (level === OPEN_LEVELS && row.kind === "part");
}

export function SchemaRows({
  schema,
  root,
  level = 0,
}: {
  readonly schema: JsonObject;
  readonly root: JsonValue;
  readonly level?: number;
}): JSX.Element {
  const rows = useMemo(() => childrenOf(schema, root), [schema, root]);
  return (
    <ul class="fields">
      {rows.map((row, index) => (
        <FieldRow key={`${index} ${row.label}`} row={row} root={root} level={level} />
      ))}
    </ul>
  );
}

function FieldRow({
  row,
  root,
  level,
}: {
  readonly row: Row;
  readonly root: JsonValue;
  readonly level: number;
}): JSX.Element {
  const [isOpen, setOpen] = useState(isOpenAtStart(row, level));
  const name = row.kind === "property" ? visibleName(row.label) : row.label;
  return (
    <li class="field">
      <div class="field-head">
        {row.hasChildren ? (
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
        <span class="field-type">{row.type}</span>
        {row.required && <span class="required">required</span>}
      </div>
      <div class="field-body">
        {(row.title || row.description) && (
          <p class="field-text" dir="auto">
            {visibleText(row.description || row.title)}
          </p>
        )}
        <Facts facts={row.facts} />
        {row.hasChildren && isOpen && <SchemaRows schema={row.schema} root={root} level={level + 1} />}
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
