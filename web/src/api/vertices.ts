// Answers about vertices and their subtasks.

import type { Points, Span, TaskState, Traffic } from "./jobs";

export interface VertexDetails {
  id: string;
  name: string;
  parallelism: number;
  maxParallelism: number;
  now: number;
  subtasks: SubtaskDetail[];
  aggregated: { metrics: Record<string, Statistics>; "status-duration": Record<string, Statistics> };
}

export interface Statistics {
  min: number;
  max: number;
  avg: number;
  sum: number;
  median: number;
  p25: number;
  p75: number;
  p95: number;
}

export interface SubtaskDetail extends Span {
  subtask: number;
  status: TaskState;
  attempt: number;
  endpoint: string;
  "taskmanager-id": string;
  metrics: Traffic;
  "status-duration": Partial<Record<TaskState, number>>;
  flott?: {
    busy: number;
    idle: number;
    backPressured: number;
    recordsInPerSecond: number;
    recordsOutPerSecond: number;
    /** null: none yet. */
    watermark: number | null;
    slot: number;
  };
}

export interface SubtaskTimes {
  id: string;
  name: string;
  now: number;
  subtasks: { subtask: number; endpoint: string; duration: number; timestamps: Record<TaskState, number> }[];
}

/** A Metric without value is only named. */
export interface Metric {
  id: string;
  value?: string;
}

/** A MetricAggregate without numbers is only named. */
export interface MetricAggregate {
  id: string;
  min?: number;
  max?: number;
  avg?: number;
  sum?: number;
}

export type FlameType = "full" | "on_cpu" | "off_cpu";

export interface FlameGraph {
  /** -1: the job is over, -2: there are none, -3: the first samples are being taken. */
  endTimestamp: number;
  data?: Flame;
  /** Why there is none. */
  flott?: string;
}

export interface Flame {
  name: string;
  value: number;
  children: Flame[];
}

export interface History {
  /** When the first point was taken. */
  from: number;
  step: number;
  /** What the lines are: subtasks, or p50, p99 and max of them. */
  lanes: string[];
  /** By metric: the points of each lane. */
  series: Record<string, Points[]>;
}
