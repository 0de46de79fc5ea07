// The subtasks of a vertex as one list, of all that is known of them: the frames of the stream are newest, but say neither where
// a subtask runs nor what it has done since its start.

import type { Graphs, GraphSubtask, SubtaskDetail, TaskState, VertexDetails } from "../api";
import type { Columns } from "../frames";
import { markOf, type Mark } from "./eventtime";

export interface Row {
  subtask: number;
  state: TaskState;
  /** From 0. */
  attempt: number;
  /** Milliseconds of each second; undefined: the task does not run. */
  load?: { busy: number; bp: number; idle: number };
  /** A second's. */
  in?: number;
  out?: number;
  bytes?: number;
  mark: Mark;
  /** Empty: it has no slot yet. */
  taskManager: string;
  host: string;
  slot: number;
  /** Of the worker; 0: not known. */
  pid: number;
  detail?: SubtaskDetail;
}

export function rowsOf(graphs: Graphs, vertex: string, columns: Columns | undefined, details: VertexDetails | undefined, now: number): Row[] {
  const known = graphs.executionGraph.vertices.find((v) => v.id === vertex)?.subtasks ?? [];
  return known.map((s, i) => rowOf(s, columns, details?.subtasks[i], now));
}

function rowOf(s: GraphSubtask, c: Columns | undefined, detail: SubtaskDetail | undefined, now: number): Row {
  const i = s.index;
  const state = c?.state[i] ?? detail?.status ?? s.state;
  const rates = running(state) ? ratesOf(s, c, detail) : none;
  return {
    subtask: i,
    state,
    attempt: detail?.attempt ?? s.attempt,
    load: rates.load,
    in: rates.in,
    out: rates.out,
    bytes: rates.bytes,
    mark: markOf(c?.watermark[i] ?? detail?.flott?.watermark, running(state) ? now : endOf(detail, now)),
    taskManager: s.taskManager,
    host: s.host ?? "",
    slot: detail?.flott?.slot ?? s.slot,
    pid: s.pid ?? 0,
    detail,
  };
}

/** endOf is when a task that does not run any more ended: from then on it does not fall behind. */
const endOf = (d: SubtaskDetail | undefined, now: number): number => (d && d["end-time"] > 0 ? d["end-time"] : now);

type Rates = Pick<Row, "load" | "in" | "out" | "bytes">;

const none: Rates = {};

function ratesOf(s: GraphSubtask, c: Columns | undefined, detail: SubtaskDetail | undefined): Rates {
  const i = s.index;
  if (c && i in c.busy) return { load: { busy: c.busy[i]!, bp: c.bp[i]!, idle: c.idle[i]! }, in: c.in[i], out: c.out[i], bytes: c.bytes[i] };
  const f = detail?.flott;
  if (f) return { load: { busy: f.busy, bp: f.backPressured, idle: f.idle }, in: f.recordsInPerSecond, out: f.recordsOutPerSecond };
  return { load: { busy: s.busy, bp: s.backPressured, idle: s.idle } };
}

export const running = (s: TaskState): boolean => s === "RUNNING" || s === "INITIALIZING";

/** sum of what is known; undefined: nothing is. */
export function sum(values: readonly (number | undefined)[]): number | undefined {
  let all: number | undefined;
  for (const v of values) if (v !== undefined) all = (all ?? 0) + v;
  return all;
}

/** statesOf counts the subtasks by state, in the order of their lives. */
export function statesOf(rows: readonly Row[]): [TaskState, number][] {
  const by = new Map<TaskState, number>();
  for (const r of rows) by.set(r.state, (by.get(r.state) ?? 0) + 1);
  return [...by].sort((a, b) => life.indexOf(a[0]) - life.indexOf(b[0]));
}

export const life: TaskState[] = ["CREATED", "SCHEDULED", "DEPLOYING", "INITIALIZING", "RUNNING", "FINISHED", "CANCELING", "CANCELED", "FAILED", "RECONCILING"];

/** filtered is the rows that a text describes: a number, or a part of a state, a host or a TaskManager. */
export function filtered(rows: readonly Row[], text: string): Row[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [...rows];
  if (/^\d+$/.test(wanted)) return rows.filter((r) => r.subtask === Number(wanted));
  return rows.filter((r) => [r.state, r.host, r.taskManager].some((t) => t.toLowerCase().includes(wanted)));
}
