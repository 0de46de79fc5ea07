import { useMemo, useRef, useState } from "preact/hooks";
import { at, type History, type MetricAggregate } from "../api";
import { bytes, count, duration, percent, rate, unknown } from "../fmt";
import { pure } from "../pure";
import { useAnswer, type Answer } from "../store";
import { MetricTable } from "../process/metrictable";
import { Empty, Icon, Show, type Column } from "../ui";
import { Chart } from "./chart";
import { linesOf, measured, timesOf, withLane } from "./series";

/** A Kind of number whose history is kept. */
interface Kind {
  name: string;
  title: string;
  format: (n: number | null) => string;
  /** The axis goes up to here at least, so that nothing looks like much. */
  least: number;
}

const perSecond = (n: number | null): string => (n === null ? unknown : bytes(n) + "/s");
const ofASecond = (n: number | null): string => percent(n === null ? null : n / 1000);

const kinds: readonly Kind[] = [
  { name: "bp", title: "Back-pressured", format: ofASecond, least: 100 },
  { name: "lag", title: "Behind the clock", format: duration, least: 1000 },
  { name: "busy", title: "Busy", format: ofASecond, least: 100 },
  { name: "bytesIn", title: "Bytes in", format: perSecond, least: 100 },
  { name: "bytesOut", title: "Bytes out", format: perSecond, least: 100 },
  { name: "idle", title: "Idle", format: ofASecond, least: 100 },
  { name: "late", title: "Late records dropped", format: rate, least: 1 },
  { name: "in", title: "Records in", format: rate, least: 1 },
  { name: "out", title: "Records out", format: rate, least: 1 },
];

/** From this many subtasks on, the server tells quantiles. */
const mostLines = 64;
const every = 10_000;

interface MetricsProps {
  job: string;
  vertex: string;
  source: boolean;
  subtask: number | undefined;
  parallelism: number;
}

/** Metrics is charts of the last hour, three at first, and below them the numbers of now by Flink's names. */
export const Metrics = pure(({ job, vertex, source, subtask, parallelism }: MetricsProps) => {
  const [chosen, choose] = useState(["busy", source ? "out" : "in", "lag"]);
  const names = [...chosen].sort();
  const history = useLast(useAnswer(at.history(job, vertex, names), every));
  const one = useAnswer(parallelism > mostLines && subtask !== undefined ? at.history(job, vertex, names, subtask) : undefined, every);
  const left = kinds.filter((k) => !chosen.includes(k.name));
  return (
    <>
      <div class="body">
        <label class="row">
          <span class="caption">Add a chart</span>
          <select class="input grow" value="" disabled={left.length === 0} onChange={(e) => choose([...chosen, e.currentTarget.value])}>
            <option value="">{left.length === 0 ? "All are shown" : `${left.length} more`}</option>
            {left.map((k) => (
              <option key={k.name} value={k.name}>
                {k.title}
              </option>
            ))}
          </select>
        </label>
        <p class="small quiet">{legend(parallelism)}</p>
      </div>
      <Show of={history} what="The history of this vertex">
        {(h) => <Charts history={h} one={one.data} chosen={chosen} subtask={subtask} onRemove={(name) => choose(chosen.filter((c) => c !== name))} />}
      </Show>
      <AllNow job={job} vertex={vertex} />
    </>
  );
});

/** useLast keeps the last answer until there is another one, so that the charts stay when one more is asked for. */
function useLast(answer: Answer<History>): Answer<History> {
  const last = useRef<History>();
  if (answer.data) last.current = answer.data;
  return answer.error ? answer : { ...answer, data: last.current };
}

interface ChartsProps {
  history: History;
  /** Of the chosen subtask, where the history has quantiles only. */
  one: History | undefined;
  chosen: readonly string[];
  subtask: number | undefined;
  onRemove: (name: string) => void;
}

/** Charts draws anew when there is a newer answer, not each second with the frames. */
function Charts({ history, one, chosen, subtask, onRemove }: ChartsProps) {
  const times = useMemo(() => timesOf(history), [history]);
  const lines = useMemo(() => {
    const all = one ? withLane(history, one) : history;
    return new Map(Object.keys(all.series).map((name) => [name, linesOf(all, name, subtask)]));
  }, [history, one, subtask]);
  if (times.length === 0) return <Empty title="There is no history">It is noted every {duration(history.step)} while the job runs.</Empty>;
  if (![...lines.values()].some(measured)) return <Empty title="Nothing was measured: no subtask has run in the last hour" />;
  const kept = chosen.flatMap((name) => kinds.find((k) => k.name === name && lines.has(name)) ?? []);
  return (
    <>
      {kept.map((kind) => (
        <section key={kind.name} class="metric" aria-label={kind.title}>
          <header class="row">
            <h3>{kind.title}</h3>
            <span class="grow" />
            <button type="button" class="icon-button" aria-label={`Remove ${kind.title}`} onClick={() => onRemove(kind.name)}>
              <Icon name="close" size={12} />
            </button>
          </header>
          <Chart title={kind.title} times={times} lines={lines.get(kind.name)!} format={kind.format} least={kind.least} />
        </section>
      ))}
    </>
  );
}

function legend(parallelism: number): string {
  if (parallelism > mostLines) return `The last hour. Half of the ${parallelism} subtasks are below p50, 99 of 100 below p99; in colour is the chosen subtask, or the largest.`;
  return parallelism > 1 ? "The last hour, one line a subtask. In colour is the chosen one, or the one that is far above the others." : "The last hour.";
}

/** AllNow is every number that there is, by Flink's names, over all subtasks. */
function AllNow({ job, vertex }: { job: string; vertex: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="section" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>All metrics, by Flink's names</summary>
      {open && <MetricTable at={(names) => at.aggregates(job, vertex, names)} values={aggregates} />}
    </details>
  );
}

const aggregates: readonly Column<MetricAggregate>[] = [
  { title: "Least", number: true, cell: (m) => valueOf(m, m.min) },
  { title: "Average", number: true, cell: (m) => valueOf(m, m.avg) },
  { title: "Most", number: true, cell: (m) => valueOf(m, m.max) },
  { title: "Sum", number: true, cell: (m) => (m.id.endsWith("Watermark") ? "" : count(m.sum)) },
];

/** valueOf leaves out moments that are none: the watermark before the first and after the last one. */
const valueOf = (m: MetricAggregate, n: number | undefined): string => (m.id.endsWith("Watermark") && Math.abs(n ?? 0) > 1e18 ? unknown : count(n));
