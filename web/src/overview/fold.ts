import type { ClusterEvent } from "../api";

/** A Folded is an event, and how often the same happened to the same one after the other. */
export interface Folded {
  readonly event: ClusterEvent;
  readonly times: number;
}

/** fold puts neighbours that tell the same into the newest of them: a job that restarts all the time must not hide the rest. */
export function fold(events: readonly ClusterEvent[]): Folded[] {
  const all: Folded[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (last && same(last.event, event)) all[all.length - 1] = { event: last.event, times: last.times + 1 };
    else all.push({ event, times: 1 });
  }
  return all;
}

const same = (a: ClusterEvent, b: ClusterEvent): boolean => a.kind === b.kind && a.job === b.job && a.taskManager === b.taskManager;
