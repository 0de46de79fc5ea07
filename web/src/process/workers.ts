// What a TaskManager's slots say about its workers: each is one process, which may have several slots.

import type { ProcessFigures, TaskManagerRow } from "../api";

export interface Worker {
  figures: ProcessFigures;
  job: string;
  slots: number[];
  tasks: number;
}

export function workersOf(manager: TaskManagerRow): Worker[] {
  const workers = new Map<number, Worker>();
  for (const { slot, job, tasks, worker } of manager.flott?.slots ?? []) {
    if (job === undefined || worker === undefined) continue;
    const one = workers.get(worker.pid) ?? { figures: worker, job, slots: [], tasks: 0 };
    one.slots.push(slot);
    one.tasks += tasks;
    workers.set(worker.pid, one);
  }
  return [...workers.values()];
}

/** A Run is neighbouring slots that one job has, or nobody. */
export interface Run {
  first: number;
  last: number;
  job?: string;
}

export function runsOf(manager: TaskManagerRow): Run[] {
  const runs: Run[] = [];
  for (const { slot, job } of manager.flott?.slots ?? []) {
    const last = runs.at(-1);
    if (last && last.job === job) last.last = slot;
    else runs.push({ first: slot, last: slot, job });
  }
  return runs;
}

/** slotsText is which slots a run has. */
export const slotsText = ({ first, last }: Run): string => (first === last ? `slot ${first}` : `slots ${first} to ${last}`);

/** Use is what a TaskManager and its workers take of what there is. */
export interface Use {
  memory: number;
  /** 0: none. */
  limit: number;
  /** Cores, lately. */
  cpu: number;
  cores: number;
}

export function useOf(manager: TaskManagerRow): Use {
  const workers = workersOf(manager);
  const sum = (of: (w: Worker) => number) => workers.reduce((total, w) => total + of(w), 0);
  const own = manager.flott?.process;
  const apart = workers.every((w) => w.figures.pid !== own?.pid); // an embedded job runs in the process itself
  return {
    memory: sum((w) => w.figures.rss),
    limit: manager.memoryConfiguration.totalProcessMemory,
    cpu: sum((w) => w.figures.cpu) + (apart ? (own?.cpu ?? 0) : 0),
    cores: manager.hardware.cpuCores,
  };
}

/** short says that the workers have nearly all the memory that they may have. */
export const short = ({ memory, limit }: Use): boolean => limit > 0 && memory > 0.88 * limit;
