// Words for what the API has in capitals.

import { ended, type JobState, type TaskState } from "./api";

const states: Record<JobState, string> = {
  INITIALIZING: "Starting",
  CREATED: "Created",
  RUNNING: "Running",
  FAILING: "Failing",
  FAILED: "Failed",
  CANCELLING: "Cancelling",
  CANCELED: "Cancelled",
  FINISHED: "Finished",
  RESTARTING: "Restarting",
  SUSPENDED: "Suspended",
  RECONCILING: "Reconciling",
};

export const stateWord = (state: JobState): string => states[state];

/** taskWord is the word for a task's state, as in a sentence. */
export const taskWord = (state: TaskState): string => state.toLowerCase().replace(/^cancel/, "cancell");

/** stateNow is the word for a job: one that waits for slots is RUNNING to the API. */
export const stateNow = (state: JobState, waiting: string | undefined): string => (waiting && !ended(state) ? "Waiting" : stateWord(state));

/** arrows writes names of vertices so that a line breaks neither inside of an arrow nor before it. */
export const arrows = (text: string): string => text.replaceAll(" -> ", "\u00a0→ ");
