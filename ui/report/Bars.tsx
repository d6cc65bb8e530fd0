import { useState } from "preact/hooks";
import { number, percent, type Bar } from "./data";
import { Head } from "./Head";

const MOST = 12;
/** Further rows at each wish. */
const MORE = 200;

/** A table whose rows are bars. A row's name chooses the kinds that are listed below. */
export function Bars(props: {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}) {
  const [limit, setLimit] = useState(MOST);
  const most = props.bars[0]?.count ?? 1;
  const shown = props.bars.slice(0, limit);
  const hidden = props.bars.length - shown.length;
  return (
    <section>
      <table class="bars">
        <caption>{props.title}</caption>
        <Head names={["Name", props.unit]} />
        <tbody>
          {shown.map(({ name, count, of }) => (
            <tr key={name}>
              <th scope="row">
                <button
                  type="button"
                  aria-pressed={props.chosen === name}
                  title="Show only these below"
                  onClick={() => props.onChoose(name)}
                >
                  {name || "(no name)"}
                </button>
                <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={Math.max((100 * count) / most, 0.5)} height="4" />
                </svg>
              </th>
              <td>
                {number(count)}
                {of !== undefined && <small> {percent(count, of)}</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && (
        <button type="button" class="more" onClick={() => setLimit(limit + MORE)}>
          Show {number(Math.min(hidden, MORE))} more
        </button>
      )}
    </section>
  );
}
