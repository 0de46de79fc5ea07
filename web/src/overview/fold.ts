import type { ClusterEvent } from "../api";

/** A Folded is an event, and how often the same happened to the same before, each time soon after the last. */
export interface Folded {
  readonly event: ClusterEvent;
  readonly times: number;
  readonly first: number;
}

/** soon is how close events are that are told as one. */
const soon = 5 * 60_000;

/** fold puts events that tell the same into the newest of them: jobs that start again all the time must not hide the rest. */
export function fold(events: readonly ClusterEvent[]): Folded[] {
  const all: Folded[] = [];
  for (const event of events) {
    const i = all.findIndex((f) => same(f.event, event) && f.first - event.at < soon);
    if (i < 0) all.push({ event, times: 1, first: event.at });
    else all[i] = { ...all[i]!, times: all[i]!.times + 1, first: event.at };
  }
  return all;
}

const same = (a: ClusterEvent, b: ClusterEvent): boolean => a.kind === b.kind && a.job === b.job && a.taskManager === b.taskManager;
