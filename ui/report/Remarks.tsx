import { number, type Counts } from "./data";
import { Head } from "./Head";

/** Sentences and how often each holds. */
export function Remarks({ title, counts }: { readonly title: string; readonly counts: Counts }) {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  if (entries.length === 0) return null;
  return (
    <section>
      <table class="remarks">
        <caption>{title}</caption>
        <Head names={["What", "Times"]} />
        <tbody>
          {entries.map(([words, times]) => (
            <tr key={words}>
              <th scope="row">{words}</th>
              <td>{number(times)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
