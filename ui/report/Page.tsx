import { useMemo, useState } from "preact/hooks";
import { Bars } from "./Bars";
import { failuresBy, failuresByTool, number, percent, whatOf, type Report } from "./data";
import { Kinds, type Chosen } from "./Kinds";
import { Remarks } from "./Remarks";
import { Times } from "./Times";
import { Verdicts } from "./Verdicts";

export function Page({ report }: { readonly report: Report }) {
  const [chosen, choose] = useState<Chosen>({});
  const bars = useMemo(
    () => ({
      tool: failuresByTool(report),
      what: failuresBy(report.kinds, whatOf),
      path: failuresBy(report.kinds, ({ path }) => path || "/"),
    }),
    [report],
  );
  const toggle = (key: keyof Chosen) => (name: string) =>
    choose({ ...chosen, [key]: chosen[key] === name ? undefined : name });
  const files = report.inputs.length + report.moreInputs;
  return (
    <main>
      <header>
        <p class="brand">toolgauge audit</p>
        <h1>
          {report.failures === 0
            ? "All calls kept their contracts"
            : `${number(report.failures)} of ${number(report.calls)} calls failed`}
        </h1>
        <dl class="figures">
          <Figure name="rows" value={number(report.rows)} />
          <Figure name="calls" value={number(report.calls)} />
          <Figure name="failed" value={percent(report.failures, report.calls)} />
          <Figure name="tools" value={number(Object.keys(report.tools).length)} />
        </dl>
        <details class="inputs">
          <summary>{files === 1 ? report.inputs[0] : `${number(files)} files`}</summary>
          <ul>
            {report.inputs.map((each) => <li key={each}>{each}</li>)}
            {report.moreInputs > 0 && <li>and {number(report.moreInputs)} more</li>}
          </ul>
        </details>
      </header>
      <Verdicts report={report} />
      <Times times={report.times} />
      {report.kinds.length > 0 && (
        <>
          <div class="columns">
            <Bars title="Failures by tool" unit="calls" bars={bars.tool} chosen={chosen.tool} onChoose={toggle("tool")} />
            <Bars title="Failures by keyword" unit="issues" bars={bars.what} chosen={chosen.what} onChoose={toggle("what")} />
            <Bars title="Failures by path" unit="issues" bars={bars.path} chosen={chosen.path} onChoose={toggle("path")} />
          </div>
          <Kinds kinds={report.kinds} chosen={chosen} onClear={() => choose({})} />
        </>
      )}
      <Remarks title="Notes" counts={report.notes} />
      <Remarks title="What the dialect made of types" counts={report.mappings} />
      <footer>Written by toolgauge {report.version}. The figures are in summary.json, too.</footer>
    </main>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
