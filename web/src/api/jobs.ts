// Answers about jobs.

import type { Color } from "./cluster";

export type JobState =
  | "INITIALIZING" | "CREATED" | "RUNNING" | "FAILING" | "FAILED" | "CANCELLING"
  | "CANCELED" | "FINISHED" | "RESTARTING" | "SUSPENDED" | "RECONCILING";

export type TaskState =
  | "CREATED" | "SCHEDULED" | "DEPLOYING" | "INITIALIZING" | "RUNNING"
  | "FINISHED" | "CANCELING" | "CANCELED" | "FAILED" | "RECONCILING";

/** ended says that a job will not run again. */
export const ended = (state: JobState): boolean => state === "FINISHED" || state === "FAILED" || state === "CANCELED";

/** A Span is when something ran; -1: it has not started, or not ended. */
export interface Span {
  "start-time": number;
  "end-time": number;
  duration: number;
}

export interface JobFlott {
  health: Color;
  /** reason is a sentence; empty: nothing is wrong. */
  reason: string;
  /** What the job waits for, such as slots. */
  waiting?: string;
  restarts: number;
  /** What a restart means. */
  note?: string;
  /** Of all sources. */
  recordsPerSecond: number;
  /** Since when the job is in its state. */
  since: number;
  /** How far event time is behind the clock, in milliseconds. */
  lag: number | null;
  /** By how many milliseconds a second the lag grows, over five minutes. */
  lagTrend: number | null;
  /** The last minutes, oldest first; events come without. */
  series?: { from: number; step: number; rps: Points; lag: Points };
}

/** Points of a series; null: not measured. */
export type Points = (number | null)[];

export interface JobRow extends Span {
  jid: string;
  name: string;
  jobType: "STREAMING" | "BATCH";
  schedulerType: string;
  state: JobState;
  "last-modification": number;
  tasks: Record<string, number> & { total: number };
  "pending-operators": number;
  flott: JobFlott;
}

export interface JobDetails extends Span {
  jid: string;
  "application-id": string;
  name: string;
  isStoppable: boolean;
  state: JobState;
  "job-type": "STREAMING" | "BATCH";
  schedulerType: string;
  maxParallelism: number;
  now: number;
  timestamps: Partial<Record<JobState, number>>;
  vertices: VertexRow[];
  "status-counts": Record<TaskState, number>;
  flott: JobFlott;
}

export interface VertexRow extends Span {
  id: string;
  slotSharingGroupId: string;
  name: string;
  maxParallelism: number;
  parallelism: number;
  status: TaskState;
  tasks: Record<TaskState, number>;
  metrics: Traffic;
}

/** Traffic is what went through since the start. */
export interface Traffic {
  "read-bytes": number;
  "write-bytes": number;
  "read-records": number;
  "write-records": number;
  "accumulated-backpressured-time": number;
  "accumulated-idle-time": number;
  "accumulated-busy-time": number;
}

export interface JobConfig {
  jid: string;
  name: string;
  "execution-config": {
    "restart-strategy": string;
    "job-parallelism": number;
    "object-reuse-mode": boolean;
    "user-config": Record<string, string>;
  };
}

/** CheckpointConfig is what the program asked for, in milliseconds. */
export interface CheckpointConfig {
  mode: "exactly_once" | "at_least_once";
  /** The largest number that there is: none. */
  interval: number;
  timeout: number;
  min_pause: number;
}

export interface Exceptions {
  exceptionHistory: { entries: ExceptionEntry[]; truncated: boolean };
}

export interface ExceptionInfo {
  exceptionName: string;
  stacktrace: string;
  timestamp: number;
  failureLabels: Record<string, string>;
  taskName?: string;
  endpoint?: string;
  taskManagerId?: string;
  flott: {
    vertex?: string;
    subtask?: number;
    attempt?: number;
    operator?: string;
    /** How many were hit. */
    tasks: number;
    /** Of the stack; user: in the program, not in an engine or library. */
    frames: { function: string; file: string; line: number; user: boolean }[];
    restart: { tasks: number; of: number; vertices: string[]; delay: number } | null;
    phases: { phase: "failed" | "due" | "deployed" | "running"; at: number }[];
    downtime: number | null;
    note: string;
  };
}

export interface ExceptionEntry extends ExceptionInfo {
  concurrentExceptions: ExceptionInfo[];
}
