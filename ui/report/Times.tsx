import { useEffect, useMemo, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { number, percent, type Counts } from "./data";
import { Head } from "./Head";
import { nameOf, nameOfStep, seriesOf, type Series } from "./times";

const HEIGHT = 220;

/** Calls and failures over time, as a plot and as a table. */
export function Times({ times }: { readonly times: Readonly<Record<string, Counts>> }) {
  const series = useMemo(() => seriesOf(times), [times]);
  if (series.starts.length === 0) return null;
  return (
    <section aria-labelledby="times">
      <h2 id="times">Failures over time</h2>
      <p class="chosen">
        One bar for each {nameOfStep(series.step)}, in UTC.
        {series.timeless > 0 && ` ${number(series.timeless)} calls have no time.`}
      </p>
      <Plot series={series} />
      <details class="table">
        <summary>As a table</summary>
        <table class="remarks">
          <Head names={["From", "Calls", "Failed", "Share"]} isUnseen={false} />
          <tbody>
            {series.starts.map((start, place) => (
              <tr key={start}>
                <th scope="row">{nameOf(start, series.step)}</th>
                <td>{number(series.calls[place] ?? 0)}</td>
                <td>{number(series.failures[place] ?? 0)}</td>
                <td>{percent(series.failures[place] ?? 0, series.calls[place] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function Plot({ series }: { readonly series: Series }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    let plot: uPlot | null = null;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(optionsOf(series, element), dataOf(series), element);
    };
    draw();
    const watcher = new ResizeObserver(() => {
      if (plot?.width !== element.clientWidth) plot?.setSize({ width: element.clientWidth, height: HEIGHT });
    });
    watcher.observe(element);
    // A canvas holds the colours that it was drawn with.
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    return () => {
      watcher.disconnect();
      dark.removeEventListener("change", draw);
      plot?.destroy();
    };
  }, [series]);
  return <div class="plot" ref={host} role="img" aria-label="Share and number of failures over time; the table below has the figures" />;
}

function dataOf({ starts, calls, failures, step }: Series): uPlot.AlignedData {
  const shares = starts.map((_, place) => {
    const all = calls[place] ?? 0;
    return all > 0 ? (100 * (failures[place] ?? 0)) / all : null;
  });
  // Each bucket stands at its middle, where bar and line meet.
  return [starts.map((start) => start + step / 2), [...failures], shares];
}

function optionsOf(series: Series, element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => {
    // The resolved colour of light-dark(), which a canvas cannot read by itself.
    element.style.color = `var(${name})`;
    const found = style.color;
    element.style.color = "";
    return found;
  };
  const [text, grid, bad, line] = [color("--muted"), color("--border"), color("--bad"), color("--accent")];
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid } };
  const bars = uPlot.paths.bars?.({ size: [0.8, 60] });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    cursor: { y: false },
    scales: {
      x: { range: (_plot, least, most) => [least - series.step / 2, most + series.step / 2] },
      y: { range: (_plot, _least, most) => [0, Math.max(most, 1) * 1.1] },
      "%": { range: (_plot, _least, most) => [0, Math.min(100, Math.max(most, 1) * 1.2)] },
    },
    axes: [
      axis,
      { ...axis, label: "failed calls", labelSize: 22, size: 60, labelFont: "12px system-ui, sans-serif" },
      {
        ...axis,
        scale: "%",
        side: 1,
        grid: { show: false },
        label: "% of calls",
        labelSize: 22,
        labelFont: "12px system-ui, sans-serif",
      },
    ],
    series: [
      { label: "from", value: (_plot, middle) => (middle === null ? "–" : nameOf(middle - series.step / 2, series.step)) },
      {
        label: "failed",
        stroke: bad,
        fill: bad,
        width: 0,
        ...(bars ? { paths: bars } : {}),
        points: { show: false },
        value: (_plot, value) => (value === null ? "–" : number(value)),
      },
      {
        label: "share",
        scale: "%",
        stroke: line,
        width: 2,
        points: { show: series.starts.length < 60 },
        value: (_plot, value) => (value === null ? "–" : `${value.toFixed(1)} %`),
      },
    ],
  };
}
