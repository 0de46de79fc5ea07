import type { Diagnosis, Graphs, HeldSubtask } from "../api";
import { at } from "../api";
import { duration, percent, unknown } from "../fmt";
import { format, setQuery, useRoute } from "../route";
import { useAnswer } from "../store";
import { Dot, Empty, Failed, Letter, Say, toneOf } from "../ui";
import { arrows } from "../words";
import { lag, lagText, markText, slowest, type Mark, type Slowest } from "./eventtime";
import { LongTable, type LongColumn } from "./longtable";
import { vertexName } from "./names";
import { running, type Row } from "./rows";

interface WatermarksProps {
  job: string;
  graphs: Graphs;
  vertex: string;
  rows: readonly Row[];
  diagnosis: Diagnosis | undefined;
  /** The mark of another vertex. */
  markOfVertex: (id: string) => Mark;
  subtask: number | undefined;
  /** Event time has begun somewhere in the job. */
  timed: boolean;
}

/** Watermarks says how far event time has come here, what holds it, and which way that took: for the chosen subtask, else the slowest. */
export function Watermarks({ job, graphs, vertex, rows, diagnosis, markOfVertex, subtask, timed }: WatermarksProps) {
  const runs = rows.some((r) => running(r.state));
  const held = useAnswer(runs ? at.held(job, vertex) : undefined, 5_000);
  const last = slowest(rows.map((r) => r.mark));
  if (!last) return <Empty title="There are no subtasks" />;
  if (!timed) return <NoEventTime />;
  const most = Math.max(1, ...rows.map((r) => lag(r.mark) ?? 0));
  const one = held.data?.subtasks[subtask ?? last.subtask];
  return (
    <>
      <div class="body">
        <Come last={last} runs={runs} alone={rows.length === 1} />
        {one && <Holder held={one} graphs={graphs} vertex={vertex} diagnosis={diagnosis} markOfVertex={markOfVertex} alone={rows.length === 1} />}
        {held.error && <Failed what="What holds the watermark" error={held.error} again={held.again} />}
      </div>
      <LongTable
        label="How far each subtask is behind the clock"
        columns={columnsOf(most, { graphs, vertex, diagnosis, held: held.data?.subtasks })}
        rows={rows}
        id={(r) => r.subtask}
        picked={subtask}
        onPick={(n) => setQuery({ subtask: n })}
      />
    </>
  );
}

const NoEventTime = () => (
  <Empty title="This job has no event time">
    <p class="why">
      None of its operators has a watermark. Records get event time by <code>Watermarks</code> after a source; without it windows and timers go by
      the clock of the machine, and nothing is late.
    </p>
  </Empty>
);

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

interface Held {
  graphs: Graphs;
  vertex: string;
  diagnosis: Diagnosis | undefined;
  held: readonly HeldSubtask[] | undefined;
}

const columnsOf = (most: number, { graphs, vertex, diagnosis, held }: Held): LongColumn<Row>[] => [
  {
    title: "#",
    width: 56,
    by: (r) => r.subtask,
    cell: (r) => (
      <>
        {r.subtask}
        {isHolder(diagnosis, vertex, r.subtask) && <Dot tone="amber" label="holds event time" />}
      </>
    ),
  },
  {
    title: "Behind the clock",
    width: 180,
    class: "fill",
    cell: (r) => (
      <span class={isHolder(diagnosis, vertex, r.subtask) ? "amount held" : "amount"} role="img" aria-label={percent((lag(r.mark) ?? 0) / most)}>
        <i style={{ width: `${((lag(r.mark) ?? 0) / most) * 100}%` }} />
      </span>
    ),
  },
  { title: "Behind", width: 84, number: true, by: (r) => lag(r.mark), cell: (r) => lagText(r.mark) },
  { title: "Held by", width: 84, by: (r) => holderText(graphs, held?.[r.subtask]), cell: (r) => <HeldBy graphs={graphs} held={held?.[r.subtask]} /> },
  { title: "Watermark", width: 116, number: true, by: (r) => (typeof r.mark === "object" ? r.mark.at : null), cell: (r) => (r.mark === "end" ? "end" : markText(r.mark)) },
];

/** isHolder says that the diagnosis names the subtask: that it makes its own watermarks alone is no reason for a mark. */
const isHolder = (d: Diagnosis | undefined, vertex: string, subtask: number): boolean =>
  d?.findings.some((f) => f.kind === "watermark" && f.vertex === vertex && f.subtask === subtask) ?? false;

const holderText = (graphs: Graphs, held: HeldSubtask | undefined): string => {
  if (!held?.heldBy) return unknown;
  return `${nameOf(graphs, held.heldBy.vertex)} (${held.heldBy.subtask})`;
};

function HeldBy({ graphs, held }: { graphs: Graphs; held: HeldSubtask | undefined }) {
  const by = held?.heldBy;
  if (!by) return <>{unknown}</>;
  return (
    <span class="row" title={holderText(graphs, held)}>
      <Letter index={graphs.jobGraph.vertices.find((v) => v.id === by.vertex)?.key ?? 0} />
      <span class="hidden">{nameOf(graphs, by.vertex)}</span>
      <span class="num">({by.subtask})</span>
    </span>
  );
}

interface HolderProps {
  held: HeldSubtask;
  graphs: Graphs;
  vertex: string;
  diagnosis: Diagnosis | undefined;
  markOfVertex: (id: string) => Mark;
  alone: boolean;
}

/** Holder is who holds the event time of one subtask, with what the diagnosis says of that, and the way from there to here. */
function Holder({ held, graphs, vertex, diagnosis, markOfVertex, alone }: HolderProps) {
  const by = held.heldBy;
  if (!by) return <p class="secondary">Nobody is known to hold it back.</p>;
  const finding = diagnosis?.findings.find((f) => f.kind === "watermark" && f.vertex === by.vertex && f.vertex !== vertex);
  const whose = alone ? "It" : `Subtask ${held.subtask}`;
  return (
    <>
      {finding && (
        <Say tone={toneOf(finding)}>
          <p class="clamp strong" title={`${finding.detail} ${finding.advice}`}>
            {arrows(finding.head)}
          </p>
        </Say>
      )}
      {by.vertex === vertex ? (
        <p>
          {whose} makes its watermarks itself{by.split && `, and has come least far in split ${by.split}`}.
        </p>
      ) : (
        <p>
          {whose} waits for subtask {by.subtask} of {nameOf(graphs, by.vertex)}
          {by.split && `, which reads split ${by.split}`}: nobody before it has come less far.
        </p>
      )}
      <p class="caption">The way of the watermark</p>
      <ol class="way" aria-label="The way of the watermark">
        {held.path.map((id, i) => (
          <Stop
            key={id}
            graphs={graphs}
            id={id}
            mark={markOfVertex(id)}
            before={i > 0 ? markOfVertex(held.path[i - 1]!) : "none"}
            holder={i === 0 ? by.subtask : undefined}
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
