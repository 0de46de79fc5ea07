import type { Diagnosis, Graphs } from "../api";
import type { JobLive } from "../frames";
import { percent, unknown } from "../fmt";
import { format, setQuery, useRoute } from "../route";
import { Badge, Empty, Letter, LoadBar, LoadLegend, Named, Say, type Tone } from "../ui";
import { LongTable, type LongColumn } from "./longtable";
import { vertexName } from "./names";
import type { Row } from "./rows";

interface PressureProps {
  graphs: Graphs;
  vertex: string;
  rows: readonly Row[];
  live: JobLive;
  diagnosis: Diagnosis | undefined;
  subtask: number | undefined;
}

/** Pressure says whether the vertex waits for those that it sends to, for which of them, and who waits for it. */
export function Pressure({ graphs, vertex, rows, live, diagnosis, subtask }: PressureProps) {
  if (!rows.some((r) => r.load)) return <Empty title="No subtask runs, so none waits for another" />;
  return (
    <>
      <div class="body">
        <Verdict graphs={graphs} vertex={vertex} rows={rows} diagnosis={diagnosis} />
        <Neighbours graphs={graphs} vertex={vertex} live={live} />
        <LoadLegend />
      </div>
      <LongTable
        label="Back-pressure of each subtask"
        columns={columns}
        rows={rows}
        id={(r) => r.subtask}
        picked={subtask}
        onPick={(n) => setQuery({ subtask: n })}
      />
    </>
  );
}

const ratio = (r: Row): number | null => (r.load ? r.load.bp / 1000 : null);

const columns: LongColumn<Row>[] = [
  { title: "#", width: 48, by: (r) => r.subtask, cell: (r) => r.subtask },
  { title: "Each second", width: 190, class: "fill", cell: (r) => (r.load ? <LoadBar busy={r.load.busy} bp={r.load.bp} /> : <span class="quiet">{unknown}</span>) },
  { title: "Busy", width: 60, number: true, by: (r) => r.load?.busy ?? null, cell: (r) => percent(r.load && r.load.busy / 1000) },
  { title: "Back-pressured", width: 108, number: true, by: ratio, cell: (r) => percent(ratio(r)) },
  { title: "Idle", width: 60, number: true, by: (r) => r.load?.idle ?? null, cell: (r) => percent(r.load && r.load.idle / 1000) },
  { title: "Level", width: 68, by: ratio, cell: (r) => <Level of={ratio(r)} /> },
];

/** levelOf has Flink's words and limits. */
function levelOf(share: number): { word: string; tone: Tone } {
  if (share <= 0.1) return { word: "ok", tone: "green" };
  return share <= 0.5 ? { word: "low", tone: "plain" } : { word: "high", tone: "amber" };
}

function Level({ of }: { of: number | null }) {
  if (of === null) return <>{unknown}</>;
  const { word, tone } = levelOf(of);
  return <Badge tone={tone}>{word}</Badge>;
}

function Verdict({ graphs, vertex, rows, diagnosis }: { graphs: Graphs; vertex: string; rows: readonly Row[]; diagnosis: Diagnosis | undefined }) {
  const worst = rows.reduce((a, b) => ((ratio(b) ?? -1) > (ratio(a) ?? -1) ? b : a));
  const share = ratio(worst) ?? 0;
  const cause = diagnosis?.bottleneck?.vertex;
  if (cause === vertex) {
    return (
      <Say tone="hot">
        <b>This vertex is the bottleneck:</b> those before it wait for it, and it waits for nobody.
      </Say>
    );
  }
  const { word, tone } = levelOf(share);
  if (word === "ok") return <Say tone="green">No subtask waits for those that it sends to.</Say>;
  return (
    <Say tone={tone}>
      Subtask {worst.subtask} is back-pressured {percent(share)} of the time: it has records that nobody takes.
      {cause && (
        <p class="row">
          The cause: <VertexLink graphs={graphs} id={cause} />
        </p>
      )}
    </Say>
  );
}

/** Neighbours is who sends here and who is sent to, each with its busiest and most blocked subtask. */
function Neighbours({ graphs, vertex, live }: { graphs: Graphs; vertex: string; live: JobLive }) {
  const inputs = graphs.jobGraph.vertices.find((v) => v.id === vertex)?.inputs.map((i) => i.vertex) ?? [];
  const outputs = graphs.jobGraph.vertices.filter((v) => v.inputs.some((i) => i.vertex === vertex)).map((v) => v.id);
  return (
    <dl class="pairs small neighbours">
      <Side name="Reads from" ids={inputs} none="nobody: it is a source" graphs={graphs} live={live} />
      <Side name="Sends to" ids={outputs} none="nobody: it is a sink" graphs={graphs} live={live} />
    </dl>
  );
}

interface SideProps {
  name: string;
  ids: readonly string[];
  none: string;
  graphs: Graphs;
  live: JobLive;
}

function Side({ name, ids, none, graphs, live }: SideProps) {
  const unique = [...new Set(ids)];
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {unique.length === 0 && none}
        {unique.map((id) => {
          const c = live.vertices.get(id);
          return (
            <span key={id} class="row">
              <VertexLink graphs={graphs} id={id} />
              <span class="secondary num">
                {c ? `busy ${percent(Math.max(...c.busy) / 1000)}, back-pressured ${percent(Math.max(...c.bp) / 1000)} at most` : unknown}
              </span>
            </span>
          );
        })}
      </dd>
    </div>
  );
}

/** A VertexLink shows another vertex in the same tab. */
export function VertexLink({ graphs, id }: { graphs: Graphs; id: string }) {
  const { parts, query } = useRoute();
  const vertex = graphs.jobGraph.vertices.find((v) => v.id === id);
  return (
    <a class="link row" href={format(parts, { ...query, vertex: id, edge: null, subtask: null })}>
      <Letter index={vertex?.key ?? 0} />
      <Named name={vertexName(vertex?.name ?? id)} />
    </a>
  );
}
