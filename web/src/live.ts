// How things are now, as the stream of events says: cells that the feed writes, and hooks to look at them.

import type { Diagnosis, Features, LogLines, Overview } from "./api";
import { Cell, useCell } from "./cell";
import { nothing, type JobLive, type JobsLive } from "./frames";

export interface Link {
  readonly status: "connecting" | "live" | "stale" | "lost" | "polling";
  /** The server's clock when it last said something; 0: never. */
  readonly heard: number;
}

export const link = new Cell<Link>({ status: "connecting", heard: 0 });

/** news counts what makes answers old. */
export const news = new Cell(0);

/** tell says that there is news. */
export const tell = (): void => news.set(news.get() + 1);

export const features = new Cell<Features | undefined>(undefined);
export const job = new Cell<JobLive>(nothing);
export const jobs = new Cell<JobsLive>(new Map());
export const diagnosis = new Cell<Diagnosis | undefined>(undefined);
export const cluster = new Cell<Overview | undefined>(undefined);
export const log = new Cell<LogLines | undefined>(undefined);

/** forget is for a page about something else. */
export function forget(): void {
  for (const cell of [diagnosis, cluster, log]) cell.set(undefined);
  job.set(nothing);
  jobs.set(new Map());
}

/** The server's clock when it last said something. It stands still with the frames: an age that grows by itself would be a lie. */
const clock = new Cell(0);
let clockSet = 0; // performance.now() then

export function setClock(now: number): void {
  clockSet = performance.now();
  clock.set(now);
}

/** guessedNow is what the server's clock must be, for answers that do not say. */
export const guessedNow = (): number => (clock.get() > 0 ? clock.get() + performance.now() - clockSet : Date.now());

export const serverNow = (): number => clock.get();

export const useLink = (): Link => useCell(link);
export const useNow = (): number => useCell(clock);
export const useFeatures = (): Features | undefined => useCell(features);
export const useJobsLive = (): JobsLive => useCell(jobs);
export const useCluster = (): Overview | undefined => useCell(cluster);

/** useFrame is the job of this page as it is now. What shows a thousand subtasks draws by itself, with onFrame. */
export const useFrame = (): JobLive => useCell(job);

/** jobLive is the job of this page, for who draws by itself. */
export const jobLive = (): JobLive => job.get();

/** onFrame calls f with the job of this page and the vertices that changed, until the function that it returns is called. */
export function onFrame(f: (now: JobLive, changed: string[]) => void): () => void {
  let before = job.get();
  return job.subscribe((now) => {
    const changed = [...now.vertices.keys()].filter((id) => now.vertices.get(id) !== before.vertices.get(id));
    before = now;
    f(now, changed);
  });
}

/** onLog calls f with the lines that come. Only the pages of the log get any. */
export const onLog = (f: (lines: LogLines) => void): (() => void) => log.subscribe((lines) => lines && f(lines));

