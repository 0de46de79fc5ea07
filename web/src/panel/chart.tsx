import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { clock } from "../fmt";
import { Table } from "../ui";
import { readout, summaryOf, type Line } from "./series";

interface ChartProps {
  title: string;
  times: readonly number[];
  lines: readonly Line[];
  format: (n: number | null) => string;
  /** The axis goes up to here at least. */
  least: number;
}

/** A Chart draws lines over an hour: those that stand out in colour, the others in grey behind them. Its numbers are in a table, too. */
export function Chart({ title, times, lines, format, least }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLParagraphElement>(null);
  const plot = useRef<uPlot>();
  const legend = lines.map((l) => `${l.label}${l.hot ? "*" : ""}`).join();
  const data = [times, ...lines.map((l) => l.points)] as uPlot.AlignedData;

  // The pointer says which point is told of; without it, it is the newest one.
  const latest = useRef({ times, lines, format });
  latest.current = { times, lines, format };
  const tell = (at: number | null | undefined) => {
    const now = latest.current;
    const i = at ?? now.times.length - 1;
    if (words.current) words.current.textContent = `${clock((now.times[i] ?? 0) * 1000)}: ${readout(now.lines, i, now.format)}`;
  };

  useEffect(() => {
    const box = place.current!;
    const draw = () => {
      plot.current?.destroy();
      const x = () => rangeOf(latest.current.times);
      plot.current = new uPlot(optionsOf({ box, lines, format, least, x, onPoint: tell }), data, box);
    };
    draw();
    const stop = [watchTheme(draw), watchWidth(box, () => plot.current?.setSize({ width: box.clientWidth, height }))];
    return () => {
      for (const end of stop) end();
      plot.current?.destroy();
    };
  }, [legend]);

  useEffect(() => {
    plot.current?.setData(data);
    tell(plot.current?.cursor.idx);
  }, [times, lines]);

  return (
    <div class="chart">
      <p class="small secondary num" ref={words} aria-hidden="true" />
      <div ref={place} aria-hidden="true" />
      <Numbers title={title} lines={lines} format={format} />
    </div>
  );
}

const height = 132;
/** Seconds: a shorter time would have the same minute at several places of its axis. */
const shortest = 600;

/** colorsOf reads colours as a canvas takes them: a token may be one for light and one for dark, and only an element knows which. */
function colorsOf(box: HTMLElement): (token: string) => string {
  return (token) => {
    box.style.color = `var(${token})`;
    const color = getComputedStyle(box).color;
    box.style.color = "";
    return color;
  };
}

interface Drawing extends Pick<ChartProps, "lines" | "format" | "least"> {
  box: HTMLElement;
  x: () => [number, number];
  onPoint: (at: number | null | undefined) => void;
}

function optionsOf({ box, lines, format, least, x, onPoint }: Drawing): uPlot.Options {
  const color = colorsOf(box);
  const axis: uPlot.Axis = { stroke: color("--text-3"), grid: { stroke: color("--line"), width: 1 }, ticks: { show: false }, font: "11px Inter" };
  return {
    width: box.clientWidth,
    height,
    legend: { show: false },
    hooks: { setCursor: [(u) => onPoint(u.cursor.idx)] },
    padding: [8, 18, 0, 0],
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    scales: { x: { range: x }, y: { range: (_, __, most) => [0, Math.max(least, most * 1.1)] } },
    axes: [
      { ...axis, size: 24, values: (_, at) => at.map((t) => clock(t * 1000).slice(0, 5)) },
      { ...axis, size: 60, values: (_, at) => at.map(format) },
    ],
    series: [{}, ...lines.map((l) => seriesOf(l, color))],
  };
}

/** rangeOf is the time that the chart shows. */
function rangeOf(times: readonly number[]): [number, number] {
  const last = times.at(-1) ?? 0;
  return [Math.min(times[0] ?? 0, last - shortest), last];
}

const seriesOf = (l: Line, color: (name: string) => string): uPlot.Series => ({
  label: l.label,
  stroke: color(l.hot ? "--busy" : "--spark"),
  width: l.hot ? 2 : 1,
  alpha: l.hot ? 1 : 0.55,
  points: { show: (u) => u.data[0].length === 1 },
});

/** watchTheme calls f when the colours change, until the function that it returns is called. */
function watchTheme(f: () => void): () => void {
  const chosen = new MutationObserver(f);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", f);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", f);
  };
}

function watchWidth(box: HTMLElement, f: () => void): () => void {
  const seen = new ResizeObserver(f);
  seen.observe(box);
  return () => seen.disconnect();
}

/** Numbers is what the chart shows, for who does not see it, and for who wants to know exactly. */
function Numbers({ title, lines, format }: Pick<ChartProps, "title" | "lines" | "format">) {
  const rows = lines.map((line) => ({ line, ...summaryOf(line.points) }));
  return (
    <details class="small">
      <summary>
        Numbers<span class="hidden"> of {title}</span>
      </summary>
      <Table
        label={`${title}, the last hour`}
        class="dense"
        rows={rows}
        id={({ line }) => line.label}
        columns={[
          { title: "Line", head: true, cell: ({ line }) => <span class={line.hot ? "strong" : ""}>{line.label}</span> },
          { title: "Now", number: true, cell: (r) => format(r.now) },
          { title: "Least", number: true, cell: (r) => format(r.min) },
          { title: "Average", number: true, cell: (r) => format(r.mean) },
          { title: "Most", number: true, cell: (r) => format(r.max) },
        ]}
      />
    </details>
  );
}
