// What the stream of events adds up to: frames say what changed, and here is how things are.

import type { Frame, Graphs, GraphSubtask, JobNow, Overview, VertexChange, VertexColumns } from "./api";

/** Columns is a vertex as it is now, a value for each subtask. */
export type Columns = VertexColumns;

/** A JobLive is a job as it is now. Its maps are new with each frame, columns that did not change stay the same objects. */
export interface JobLive {
  readonly vertices: ReadonlyMap<string, Columns>;
  /** Records a second, by operator in the stream graph. */
  readonly edges: ReadonlyMap<number, number>;
}

export const nothing: JobLive = { vertices: new Map(), edges: new Map() };

export function mergeFrame(before: JobLive, frame: Frame): JobLive {
  if (!frame.vertices && !frame.edges) return before;
  const vertices = new Map(before.vertices);
  for (const [id, change] of Object.entries(frame.vertices ?? {})) vertices.set(id, mergeColumns(vertices.get(id), change));
  const edges = new Map(before.edges);
  for (const [operator, rate] of Object.entries(frame.edges ?? {})) edges.set(Number(operator), rate);
  return { vertices, edges };
}

function mergeColumns(before: Columns | undefined, { subtasks, ...change }: VertexChange): Columns {
  const put = <T>(old: T[] = [], some: T[] | undefined): T[] => {
    if (!some) return old;
    if (!subtasks) return some;
    const all = [...old];
    subtasks.forEach((subtask, i) => (all[subtask] = some[i]!));
    return all;
  };
  return {
    busy: put(before?.busy, change.busy),
    bp: put(before?.bp, change.bp),
    idle: put(before?.idle, change.idle),
    in: put(before?.in, change.in),
    out: put(before?.out, change.out),
    bytes: put(before?.bytes, change.bytes),
    state: put(before?.state, change.state),
    watermark: put(before?.watermark, change.watermark),
  };
}

export type JobsLive = ReadonlyMap<string, JobNow>;

export function mergeJobs(before: JobsLive, changed: readonly JobNow[]): JobsLive {
  if (changed.length === 0) return before;
  const jobs = new Map(before);
  for (const job of changed) jobs.set(job.jid, job);
  return jobs;
}

const mostEvents = 100;

/** mergeCluster keeps what happened before: an event of the stream has only what is new. */
export function mergeCluster(before: Overview | undefined, next: Overview): Overview {
  const last = before?.flott.events[0]?.seq ?? 0;
  const events = [...next.flott.events.filter((e) => e.seq > last), ...(before?.flott.events ?? [])];
  return { ...next, flott: { ...next.flott, events: events.slice(0, mostEvents) } };
}

/** columnsOf is what a frame would say, of an answer that was asked for because no frames come. */
export function columnsOf(graphs: Graphs, before: JobLive): JobLive {
  const vertices = new Map<string, Columns>();
  for (const { id, subtasks } of graphs.executionGraph.vertices) vertices.set(id, columns(subtasks, before.vertices.get(id)));
  const edges = new Map<number, number>();
  for (const edge of graphs.streamGraph?.edges ?? []) if (edge.rate !== undefined) edges.set(edge.source, edge.rate);
  return { vertices, edges };
}

/** columns has for watermarks and bytes, which the graphs lack, what was known last. */
function columns(subtasks: readonly GraphSubtask[], before: Columns | undefined): Columns {
  const rates = subtasks.map((s) => s.rate);
  return {
    busy: subtasks.map((s) => s.busy),
    bp: subtasks.map((s) => s.backPressured),
    idle: subtasks.map((s) => s.idle),
    in: rates,
    out: rates,
    bytes: before?.bytes ?? subtasks.map(() => 0),
    state: subtasks.map((s) => s.state),
    watermark: before?.watermark ?? subtasks.map(() => null),
  };
}
