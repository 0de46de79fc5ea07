import { useRef } from "preact/hooks";
import type { VertexRow } from "../api";
import { bytes, count, duration, percent, rate, unknown } from "../fmt";
import { serverNow } from "../store";
import type { Column } from "../ui";
import { usePaint, write } from "./board";
import * as figures from "./figures";
import type { Runs } from "./graph";
import type { Chain, Edge, Model } from "./model";
import type { Numbers } from "./numbers";
import { barsOf, setBars } from "./style";

export interface Facts {
  model: Model;
  totals: readonly VertexRow[]; // of a job that has ended
  timed: boolean; // there is event time
  skewed?: string; // vertex: its skew is what makes it slow
}

/** facts is what a table says of vertices: only what there can be. */
export const facts: Record<Runs, (of: Facts) => Column<Chain>[]> = { "not yet": planned, now: running, "no more": done };

export const cutEdges = (model: Model): Edge[] => model.edges.filter((e) => !e.chained);

const number = (title: string, cell: Column<Chain>["cell"]): Column<Chain> => ({ title, number: true, cell });

function planned(): Column<Chain>[] {
  return [number("Parallelism", (c) => c.parallelism)];
}

function running({ model, timed, skewed }: Facts): Column<Chain>[] {
  const live = (title: string, text: (now: Numbers, c: Chain) => string) => number(title, (c) => <Live chain={c} text={(now) => text(now, c)} />);
  return [
    live("Tasks", (now, c) => tasks(figures.running(now.columns(c)), c.parallelism)),
    { title: "Busiest subtask", cell: (c) => <Busiest chain={c} /> },
    live("Blocked", (now, c) => percent(now.columns(c) && now.pressure(c) / 1000)),
    ...traffic(model, [
      live("In", (now, c) => rate(figures.rateIn(now.columns(c)))),
      live("Out", (now, c) => rate(figures.rateOut(now.columns(c)))),
      live("Bytes out", (now, c) => `${bytes(figures.bytesOut(now.columns(c)))}/s`),
    ]),
    ...(timed ? [live("Behind", (now, c) => behind(figures.watermark(now.columns(c))))] : []),
    number("Skew", (c) => <Skew chain={c} hot={c.id === skewed} />),
  ];
}

/** done is what is known of tasks that run no more: what went through. */
function done({ model, totals }: Facts): Column<Chain>[] {
  const rows = new Map(totals.map((v) => [v.id, v]));
  const total = (title: string, of: (v: VertexRow) => string) => number(title, (c) => of(rows.get(c.id)!));
  return [
    { title: "State", cell: (c) => <Said chain={c} /> },
    number("Tasks", (c) => c.parallelism),
    ...traffic(model, [
      total("Records in", (v) => count(v.metrics["read-records"])),
      total("Records out", (v) => count(v.metrics["write-records"])),
      total("Bytes out", (v) => bytes(v.metrics["write-bytes"])),
    ]),
    total("Ran for", (v) => duration(v.duration)),
  ];
}

/** traffic has a dash, and says why, where nothing is counted. */
function traffic(model: Model, [read, sent, size]: Column<Chain>[]): Column<Chain>[] {
  const cut = cutEdges(model);
  const reads = new Set(cut.map((e) => e.to.chain));
  const sends = new Set(cut.map((e) => e.from.chain));
  const unless = (column: Column<Chain>, whyNot: (c: Chain) => string | false): Column<Chain> => ({
    ...column,
    cell: (c) => {
      const why = whyNot(c);
      return why ? <span class="quiet" title={why}>{unknown}</span> : column.cell(c);
    },
  });
  const ends = (c: Chain) => !sends.has(c) && "It is the end: no other task gets records of it";
  return [
    unless(read, (c) => !reads.has(c) && "It is a source: no other task sends records to it"),
    unless(sent, ends),
    unless(size, (c) => ends(c) || (handsOver(cut, c) && "Records are handed over inside of one process: nothing is serialised")),
  ];
}

/** tasks says how many run, if not all do. */
const tasks = (run: number, of: number): string => (run === of ? String(of) : `${run} of ${of}`);

/** handsOver says that a vertex and all that it sends to are in one process. */
function handsOver(cut: Edge[], chain: Chain): boolean {
  const all = [chain, ...cut.filter((e) => e.from.chain === chain).map((e) => e.to.chain)];
  return new Set(all.flatMap((c) => c.subtasks.map((s) => `${s.taskManager} ${s.pid}`))).size === 1;
}

function Said({ chain }: { chain: Chain }) {
  const element = useRef<HTMLSpanElement>(null);
  usePaint(
    chain,
    (now) => {
      write(element.current, now.said(chain));
      element.current!.classList.toggle("text-red", now.overall(chain) === "FAILED");
    },
    [chain],
  );
  return <span ref={element} />;
}

/** behind is how far event time is behind the clock. The last watermark of all is not behind anything. */
const behind = (mark: number | undefined): string =>
  mark === undefined || mark > serverNow() + 1e12 ? unknown : duration(Math.max(0, serverNow() - mark));

function Live({ chain, text }: { chain: Chain; text: (now: Numbers) => string }) {
  const element = useRef<HTMLSpanElement>(null);
  usePaint(chain, (now) => write(element.current, text(now)), [chain]);
  return <span ref={element} class="num nowrap" />;
}

function Busiest({ chain }: { chain: Chain }) {
  const element = useRef<HTMLSpanElement>(null);
  usePaint(
    chain,
    (now) => {
      const load = now.busiest(chain);
      const [bars, text] = element.current!.children;
      setBars(bars as HTMLElement, Math.round((load?.busy ?? 0) / 10), Math.round((load?.bp ?? 0) / 10));
      write(text, load ? `${percent(load.busy / 1000)} (${load.subtask})` : unknown);
    },
    [chain],
  );
  return (
    <span ref={element} class="row nowrap">
      {barsOf("in-table")}
      <span class="num small" />
    </span>
  );
}

function Skew({ chain, hot }: { chain: Chain; hot: boolean }) {
  const element = useRef<HTMLSpanElement>(null);
  usePaint(
    chain,
    (now) => {
      const times = figures.skew(now.columns(chain));
      write(element.current, times === undefined ? unknown : `×${count(times)}`);
    },
    [chain],
  );
  return <span ref={element} class={`num ${hot ? "text-hot strong" : "quiet"}`} />;
}
