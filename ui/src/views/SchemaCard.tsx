import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Schema } from "../net/read";
import { childrenOf, factsOf, typeText } from "../schema/describe";
import { resolve } from "../schema/resolve";
import { CopyButton } from "./CopyButton";
import { LongText } from "./LongText";
import { Facts, SchemaRows } from "./SchemaRows";
import { Tabs } from "./Tabs";

export function SchemaCard({ title, schema }: { readonly title: string; readonly schema: Schema }): JSX.Element {
  return (
    <section class="card" aria-label={title}>
      <h3 class="card-title">{title}</h3>
      <Tabs
        label={`${title}: view`}
        aside={<CopyButton text={schema.text} what={title.toLowerCase()} />}
        tabs={[
          { id: "fields", label: "Fields", body: <Fields schema={schema} /> },
          { id: "json", label: "JSON", body: <LongText text={schema.text} label={`${title} as JSON`} /> },
        ]}
      />
    </section>
  );
}

function Fields({ schema: { value } }: { readonly schema: Schema }): JSX.Element {
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
