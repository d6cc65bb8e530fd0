import { number, percent, totalOf, VERDICTS, type Report } from "./data";
import { Head } from "./Head";

/** The share of calls, and of rows without one, by verdict. */
export function Verdicts({ report }: { readonly report: Report }) {
  const total = totalOf(report.verdicts);
  const there = VERDICTS.filter(([verdict]) => (report.verdicts[verdict] ?? 0) > 0);
  return (
    <section aria-labelledby="verdicts">
      <h2 id="verdicts">Share of calls by verdict</h2>
      <svg class="share" viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true">
        {there.reduce<{ at: number; parts: preact.JSX.Element[] }>(
          ({ at, parts }, [verdict]) => {
            const width = (1000 * (report.verdicts[verdict] ?? 0)) / total;
            parts.push(<rect key={verdict} class={`v-${verdict}`} x={at} y="0" width={Math.max(width, 1.5)} height="14" />);
            return { at: at + width, parts };
          },
          { at: 0, parts: [] },
        ).parts}
      </svg>
      <table class="verdicts">
        <Head names={["Verdict", "Calls", "Share"]} />
        <tbody>
          {there.map(([verdict, words]) => (
            <tr key={verdict}>
              <th scope="row">
                <svg class="key" viewBox="0 0 10 10" aria-hidden="true">
                  <rect class={`v-${verdict}`} width="10" height="10" rx="2" />
                </svg>
                {words}
              </th>
              <td>{number(report.verdicts[verdict] ?? 0)}</td>
              <td>{percent(report.verdicts[verdict] ?? 0, total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
