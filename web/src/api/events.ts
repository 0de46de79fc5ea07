// What the stream of events says.

import type { JobFlott, JobState, TaskState } from "./jobs";

/** A Frame is what changed in the last second. */
export interface Frame {
  now: number;
  seq: number;
  vertices?: Record<string, VertexChange>;
  /** Records a second, by operator in the stream graph. */
  edges?: Record<string, number>;
  jobs?: JobNow[];
}

/** VertexColumns has a value for each subtask. */
export interface VertexColumns {
  busy: number[];
  bp: number[];
  idle: number[];
  in: number[];
  out: number[];
  bytes: number[];
  state: TaskState[];
  /** null: none yet. */
  watermark: (number | null)[];
}

/** VertexChange is columns, each for all subtasks or for those named. A column that is missing is as it was. */
export type VertexChange = Partial<VertexColumns> & { subtasks?: number[] };

export interface JobNow extends JobFlott {
  jid: string;
  name: string;
  state: JobState;
}
