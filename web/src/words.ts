// Words for what the API has in capitals.

import type { JobState } from "./api";

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
