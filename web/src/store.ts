// What the page knows: how things are now (live.ts), which the feed keeps up to date (feed.ts), and answers that were asked for (answers.ts).

export { useAnswer, useDiagnosis, type Answer } from "./answers";
export type { Columns, JobLive, JobsLive } from "./frames";
export { jobLive, onFrame, onLog, serverNow, useCluster, useFeatures, useFrame, useJobsLive, useLink, useNow, type Link } from "./live";
