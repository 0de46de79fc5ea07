// Words for what the API has in capitals.

import { ended, type JobState } from "./api";

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

/** stateNow is the word for a job: one that waits for slots is RUNNING to the API. */
export const stateNow = (state: JobState, waiting: string | undefined): string => (waiting && !ended(state) ? "Waiting" : stateWord(state));
