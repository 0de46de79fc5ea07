import type { Answer } from "../store";
import type { Diagnosis, Graphs } from "../api";
import { duration, percent } from "../fmt";
import { format, setQuery, useRoute } from "../route";
import { Dot, Empty, Letter, Say, toneOfLevel } from "../ui";
import { lag, lagText, markText, slowest, type Mark, type Slowest } from "./eventtime";
import { FindingText } from "./finding";
import { LongTable, type LongColumn } from "./longtable";
import { vertexName } from "./names";
import { running, type Row } from "./rows";

interface WatermarksProps {
  graphs: Graphs;
  vertex: string;
  rows: readonly Row[];
  diagnosis: Answer<Diagnosis>;
  /** The mark of another vertex. */
  markOfVertex: (id: string) => Mark;
  subtask: number | undefined;
}

/** Watermarks says how far event time has come here, what holds it, and which way that took. */
export function Watermarks({ graphs, vertex, rows, diagnosis, markOfVertex, subtask }: WatermarksProps) {
  const last = slowest(rows.map((r) => r.mark));
  if (!last) return <Empty title="There are no subtasks" />;
  const runs = rows.some((r) => running(r.state));
  const most = Math.max(1, ...rows.map((r) => lag(r.mark) ?? 0));
  return (
    <>
      <div class="body">
        <Come last={last} runs={runs} alone={rows.length === 1} />
        {runs && diagnosis.data && <Holder diagnosis={diagnosis.data} graphs={graphs} vertex={vertex} markOfVertex={markOfVertex} />}
      </div>
      <LongTable
        label="How far each subtask is behind the clock"
        columns={columnsOf(most, diagnosis.data, vertex)}
        rows={rows}
        id={(r) => r.subtask}
        picked={subtask}
        onPick={(n) => setQuery({ subtask: n })}
      />
    </>
  );
}

/** Come is how far the vertex has come: as far as its slowest subtask. */
function Come({ last, runs, alone }: { last: Slowest; runs: boolean; alone: boolean }) {
  const which = alone ? "" : ` That is its slowest subtask, ${last.subtask}.`;
  if (last.mark === "none") return <p>{alone ? "It has no watermark yet." : `Subtask ${last.subtask} has no watermark yet, so the vertex has none.`}</p>;
  if (last.mark === "end") return <p>Event time is over here: all input is read.</p>;
  return (
    <p>
      Event time of this vertex {runs ? "is" : "came to"} <b class="num">{markText(last.mark)}</b>, <b class="num">{lagText(last.mark)}</b> behind the clock
      {runs ? "" : " when it ended"}.{which}
    </p>
  );
}

const columnsOf = (most: number, d: Diagnosis | undefined, vertex: string): LongColumn<Row>[] => [
  {
    title: "#",
    by: (r) => r.subtask,
    cell: (r) => (
      <>
        {r.subtask}
        {holds(d, vertex, r.subtask) && <Dot tone="amber" label="holds event time" />}
      </>
    ),
  },
  {
    title: "Behind the clock",
    class: "fill",
    cell: (r) => (
      <span class={holds(d, vertex, r.subtask) ? "amount held" : "amount"} role="img" aria-label={percent((lag(r.mark) ?? 0) / most)}>
        <i style={{ width: `${((lag(r.mark) ?? 0) / most) * 100}%` }} />
      </span>
    ),
  },
  { title: "Behind", number: true, by: (r) => lag(r.mark), cell: (r) => lagText(r.mark) },
  { title: "Watermark", number: true, by: (r) => (typeof r.mark === "object" ? r.mark.at : null), cell: (r) => (r.mark === "end" ? "end" : markText(r.mark)) },
];

const holds = (d: Diagnosis | undefined, vertex: string, subtask: number): boolean =>
  d?.watermark.heldBy?.vertex === vertex && d.watermark.heldBy.subtask === subtask;

interface HolderProps {
  diagnosis: Diagnosis;
  graphs: Graphs;
  vertex: string;
  markOfVertex: (id: string) => Mark;
}

/** Holder is what the server says of the watermark: the same sentences as above the graph, if this vertex is on the way. */
function Holder({ diagnosis, graphs, vertex, markOfVertex }: HolderProps) {
  const { heldBy, path = [] } = diagnosis.watermark;
  const finding = diagnosis.findings.find((f) => f.kind === "watermark");
  const way = path.includes(vertex) ? path.slice(0, path.indexOf(vertex) + 1) : [];
  if (!heldBy) return <p class="secondary">Nothing is known to hold event time back.</p>;
  if (way.length === 0) return <Say tone="green">This vertex is not on the way of what holds the job's event time back.</Say>;
  return (
    <>
      {finding && finding.vertex !== vertex && (
        <Say tone={toneOfLevel[finding.level]}>
          <FindingText of={finding} />
        </Say>
      )}
      {!finding && (
        <p>
          Of all sources, subtask {heldBy.subtask} of {nameOf(graphs, heldBy.vertex)} has come least far{heldBy.split ? `, in split ${heldBy.split}` : ""}.
        </p>
      )}
      <p class="caption">The way of the watermark</p>
      <ol class="way" aria-label="The way of the watermark">
        {way.map((id, i) => (
          <Stop
            key={id}
            graphs={graphs}
            id={id}
            mark={markOfVertex(id)}
            before={i > 0 ? markOfVertex(way[i - 1]!) : "none"}
            holder={i === 0 ? heldBy.subtask : undefined}
            here={id === vertex}
          />
        ))}
      </ol>
    </>
  );
}

interface StopProps {
  graphs: Graphs;
  id: string;
  mark: Mark;
  /** That of the stop before. */
  before: Mark;
  holder: number | undefined;
  here: boolean;
}

/** A Stop says how much it is behind, and what of that was added between the stop before and here. */
function Stop({ graphs, id, mark, before, holder, here }: StopProps) {
  const { parts, query } = useRoute();
  const vertex = graphs.jobGraph.vertices.find((v) => v.id === id);
  const name = nameOf(graphs, id) + (holder === undefined ? "" : ` (${holder})`);
  return (
    <li class="row small">
      <Letter index={vertex?.key ?? 0} />
      {here ? (
        <b>{name}</b>
      ) : (
        <a class="link" href={format(parts, { ...query, vertex: id, subtask: holder ?? null })}>
          {name}
        </a>
      )}
      <span class="grow" />
      {added(mark, before) > 0 && <span class="quiet num">{duration(added(mark, before))} more</span>}
      <span class="secondary num">{typeof mark === "object" ? `${duration(mark.behind)} behind` : markText(mark)}</span>
    </li>
  );
}

const added = (mark: Mark, before: Mark): number => (lag(mark) ?? 0) - (lag(before) ?? lag(mark) ?? 0);

const nameOf = (graphs: Graphs, id: string): string => vertexName(graphs.jobGraph.vertices.find((v) => v.id === id)?.name ?? id);
