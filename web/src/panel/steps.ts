import type { SubtaskTimes, TaskState } from "../api";

/** Steps is how a subtask came to run, and how it ended. */
export interface Steps {
  subtask: number;
  state: TaskState;
  /** When it was scheduled; 0: not yet. */
  from: number;
  timestamps: Partial<Record<TaskState, number>>;
  running?: number;
  end?: number;
}

const ends: TaskState[] = ["FINISHED", "CANCELED", "FAILED"];
const before: TaskState[] = ["SCHEDULED", "DEPLOYING", "INITIALIZING"];

export function stepsOf({ subtask, timestamps }: SubtaskTimes["subtasks"][number]): Steps {
  const entered = (Object.entries(timestamps) as [TaskState, number][]).filter(([, time]) => time > 0);
  // Of states that it came into in the same millisecond, the later one is where it is.
  const state = entered.reduce<TaskState>((last, [s, time]) => (later(s, time, last, timestamps[last]) ? s : last), "CREATED");
  const end = ends.map((s) => timestamps[s]).find((time) => time > 0);
  return { subtask, state, from: timestamps.SCHEDULED, timestamps, running: timestamps.RUNNING || undefined, end };
}

const order: TaskState[] = ["CREATED", "SCHEDULED", "DEPLOYING", "INITIALIZING", "RUNNING", "CANCELING", "FINISHED", "CANCELED", "FAILED", "RECONCILING"];

const later = (s: TaskState, at: number, than: TaskState, thanAt: number): boolean =>
  at > thanAt || (at === thanAt && order.indexOf(s) > order.indexOf(than));

/** barsOf is the states before it ran, each from when to when. */
export function barsOf(s: Steps, now: number): { state: TaskState; from: number; to: number }[] {
  const stop = s.running ?? s.end ?? now;
  return before.flatMap((state, i) => {
    const from = s.timestamps[state];
    if (!from) return [];
    const next = before.slice(i + 1).map((n) => s.timestamps[n]).find((time) => time);
    return [{ state, from, to: Math.max(from, next ?? stop) }];
  });
}
