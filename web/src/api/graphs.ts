// The four graphs of a job.

import type { ProcessFigures } from "./cluster";
import type { TaskState } from "./jobs";

export interface Graphs {
  /** null: the job came without. */
  streamGraph: { nodes: StreamNode[]; edges: StreamEdge[] } | null;
  jobGraph: { vertices: GraphVertex[] };
  executionGraph: {
    vertices: { id: string; subtasks: GraphSubtask[] }[];
    regions: { id: number; subtasks: number; vertices: string[] }[];
  };
  physical: { taskManagers: { id: string; host: string; worker: ProcessFigures; slots: number[] }[] };
}

export interface StreamNode {
  id: number;
  operatorId: string;
  name: string;
  kind: "source" | "sink" | "operator";
  /** What it does, as "Flat Map", whatever it is called; empty: not known. */
  operation?: string;
  parallelism: number;
  maxParallelism: number;
  chainingStrategy: string;
  slotSharingGroup: string;
  uid: string | null;
  description: string;
  /** file:line; empty: not known. */
  declaredAt: string;
  /** Why it keeps state; empty: it keeps none. */
  state: string;
}

export interface StreamEdge {
  id: string;
  source: number;
  target: number;
  partitioner: string;
  typeNumber: number;
  outputTag: string | null;
  exchangeMode: string;
  bufferTimeoutMs: number;
  /** null: chained. */
  distribution: string | null;
  resultType: string | null;
  /** Records a second, while the job runs. */
  rate?: number;
  chain: { chained: boolean; checks: ChainCheck[]; why: string; short: string };
}

export interface ChainCheck {
  rule: string;
  ok: boolean;
  detail: string;
}

export interface GraphVertex {
  id: string;
  key: number;
  name: string;
  /** Ids in the stream graph. */
  operators: number[];
  parallelism: number;
  slotSharingGroup: string;
  inputs: GraphInput[];
}

export interface GraphInput {
  vertex: string;
  /** Id in the stream graph. */
  edge: string;
  shipStrategy: string;
  distribution: string;
  resultType: string;
  channels: number;
  /** The first and last subtask that each subtask reads from; null: all from all. */
  wiring: [number, number][] | null;
}

/** A GraphSubtask has milliseconds a second, and records a second. */
export interface GraphSubtask {
  index: number;
  attempt: number;
  state: TaskState;
  busy: number;
  backPressured: number;
  idle: number;
  rate: number;
  taskManager: string;
  slot: number;
  host: string;
  endpoint: string;
  /** Of the worker; 0: not known. */
  pid: number;
}
