// Failures of one cause, one after the other: a job that starts again every few seconds must not hide what it failed of before.

import type { ExceptionEntry } from "../api";
import { clock, duration } from "../fmt";
import { headOf } from "./causetext";

/** A Run is neighbours with the same cause, the newest first. There is always one. */
export type Run = readonly [newest: ExceptionEntry, ...older: ExceptionEntry[]];

export function runsOf(entries: readonly ExceptionEntry[]): Run[] {
  const runs: Run[] = [];
  for (const e of entries) {
    const last = runs.at(-1);
    if (last && causeOf(last[0]) === causeOf(e)) runs[runs.length - 1] = [...last, e];
    else runs.push([e]);
  }
  return runs;
}

/** causeOf is what failed where, whatever numbers the error has in it: they are of the record, or of the time. */
const causeOf = (e: ExceptionEntry): string => [e.exceptionName, e.flott.vertex, e.flott.operator, headOf(e).replace(/\d+/g, "#")].join("\n");

/** oftenText is how often it happened, and how fast one came after the other. */
export function oftenText(run: Run): string {
  const first = run.at(-1)!.timestamp;
  const gap = (run[0].timestamp - first) / (run.length - 1);
  return `${run.length} times since ${clock(first)}, about every ${duration(gap)}`;
}
