import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { parseJson } from "../json/parse";
import { prettyJson } from "../json/print";
import { JsonTree } from "./JsonTree";
import { LongText } from "./LongText";
import { Button } from "./buttons";

/** Characters; above it laying out takes longer than anyone wants to wait. */
const LAY_OUT_LIMIT = 500_000;

/** JSON as text or as a tree, whichever helps. */
export function JsonView({ text, label, isTree }: {
  readonly text: string;
  readonly label: string;
  readonly isTree: boolean;
}) {
  const laidOut = useMemo(() => (text.length > LAY_OUT_LIMIT ? text : prettyJson(text)), [text]);
  const parsed = useMemo(() => (isTree ? parseJson(text) : null), [text, isTree]);
  if (parsed?.ok) {
    return (
      <div role="region" aria-label={label}>
        <JsonTree root={parsed.root} text={text} label={`${label} as a tree`} />
      </div>
    );
  }
  return <LongText text={laidOut} label={label} />;
}

/** A switch between the two; a long text begins as a tree. */
export function useTreeSwitch(startsAsTree: boolean): { readonly isTree: boolean; readonly button: JSX.Element } {
  const [isTree, setTree] = useState(startsAsTree);
  const button = <Button aria-pressed={isTree} onClick={() => setTree(!isTree)}>Tree</Button>;
  return { isTree, button };
}
