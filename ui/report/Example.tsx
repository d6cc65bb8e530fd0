import type { Example } from "./data";

/** One call: where it stands, what is wrong, and its arguments with the place marked. */
export function ExampleCard({ example }: { readonly example: Example }) {
  const error = example.errors.find(({ path }) => path === example.at) ?? example.errors[0];
  const [before, marked, after] = partsOf(example.arguments, example.mark);
  return (
    <li class="example">
      <p class="where">
        <code>{example.file}:{example.line}</code>
        {example.call > 0 && <span> call {example.call + 1} of its row</span>}
      </p>
      <p class="message">{error?.message ?? "no words"}</p>
      {example.arguments !== "" && (
        <pre tabIndex={0} aria-label={`Arguments of ${example.file}:${example.line}`}>
          {before}
          {marked !== null && marked !== "" && <mark>{marked}</mark>}
          {example.missing !== null && (
            <mark class="missing">{` ${JSON.stringify(example.missing)} is missing `}</mark>
          )}
          {after}
        </pre>
      )}
      {example.isCut && <p class="none">The arguments are longer; only a part is shown.</p>}
    </li>
  );
}

/** Cut a text by characters, as Python counts them. */
export function partsOf(
  text: string,
  mark: readonly [number, number] | null,
): readonly [string, string | null, string] {
  if (mark === null) return [text, null, ""];
  const characters = [...text];
  const [start, end] = mark;
  return [
    characters.slice(0, start).join(""),
    characters.slice(start, end).join(""),
    characters.slice(end).join(""),
  ];
}
