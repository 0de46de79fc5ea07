import type { Columns } from "../frames";

// What a vertex adds up to. Undefined: not known.

const total = (list: readonly number[] | undefined): number | undefined =>
  list && list.length > 0 ? list.reduce((a, b) => a + b, 0) : undefined;

export const rateIn = (c: Columns | undefined): number | undefined => total(c?.in);

export const rateOut = (c: Columns | undefined): number | undefined => total(c?.out);

export const bytesOut = (c: Columns | undefined): number | undefined => total(c?.bytes);

/** watermark is the least of those that subtasks have. */
export function watermark(c: Columns | undefined): number | undefined {
  const known = (c?.watermark ?? []).filter((w): w is number => w !== null);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/** skew is how many times the average the busiest subtask has: of the records that it takes, or makes if it is a source. */
export function skew(c: Columns | undefined): number | undefined {
  const taken = total(c?.in) ? c!.in : (c?.out ?? []);
  const all = total(taken);
  return all && taken.length > 1 ? (Math.max(...taken) * taken.length) / all : undefined;
}

export const running = (c: Columns | undefined): number => (c?.state ?? []).filter((s) => s === "RUNNING").length;
