import { useState } from "preact/hooks";
import { number, whatOf, type Kind } from "./data";
import { ExampleCard } from "./Example";

export type Chosen = {
  readonly tool?: string | undefined;
  readonly what?: string | undefined;
  readonly path?: string | undefined;
};

const AT_FIRST = 25;

/** The kinds of failure, each with its examples. */
export function Kinds(props: {
  readonly kinds: readonly Kind[];
  readonly chosen: Chosen;
  readonly onClear: () => void;
}) {
  const [most, showMost] = useState(AT_FIRST);
  const { tool, what, path } = props.chosen;
  const found = props.kinds.filter(
    (kind) =>
      (tool === undefined || kind.tool === tool) &&
      (what === undefined || whatOf(kind) === what) &&
      (path === undefined || (kind.path || "/") === path),
  );
  const words = [tool, what, path].filter((each) => each !== undefined);
  return (
    <section aria-labelledby="kinds">
      <h2 id="kinds">Kinds of failure</h2>
      <p class="chosen" role="status">
        {number(found.length)} of {number(props.kinds.length)} kinds
        {words.length > 0 && (
          <>
            {" with "}
            {words.map((each, place) => (
              <>
                {place > 0 && ", "}
                <code>{each || "(no name)"}</code>
              </>
            ))}{" "}
            <button type="button" onClick={props.onClear}>Show all</button>
          </>
        )}
      </p>
      {found.slice(0, most).map((kind, place) => (
        <details class="kind" key={[kind.tool, kind.verdict, kind.keyword, kind.path].join("\n")} open={place === 0}>
          <summary>
            <span class="count">{number(kind.count)}</span>
            <span class="what">{whatOf(kind)}</span>
            <code>{kind.tool || "(no tool)"}</code>
            <code class="path">{kind.path || "/"}</code>
          </summary>
          {kind.examples.length === 0 && <p class="none">No example was kept of this kind.</p>}
          <ol>
            {kind.examples.map((each) => (
              <ExampleCard key={`${each.file}:${each.line}:${each.call}`} example={each} />
            ))}
          </ol>
        </details>
      ))}
      {found.length > most && (
        <button type="button" class="more" onClick={() => showMost(most + 100)}>Show more kinds</button>
      )}
    </section>
  );
}
