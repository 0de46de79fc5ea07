import { ended, type JobRow } from "../api";

/** jobHues gives each job that runs a number for its colour: the oldest has 0, so that a new job changes no other's. */
export function jobHues(rows: readonly JobRow[]): ReadonlyMap<string, number> {
  const running = rows.filter((j) => !ended(j.state)).sort((a, b) => a["start-time"] - b["start-time"]);
  return new Map(running.map((j, i) => [j.jid, i]));
}
