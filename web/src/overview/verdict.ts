// The first sentence of the page: how the jobs fare, all in one.

import { ended, type Color, type JobFlott, type JobState } from "../api";
import { integer } from "../fmt";

export interface Verdict {
  readonly tone: Color | "ended";
  readonly text: string;
  /** Of the window. */
  readonly title: string;
}

/** A Judged is what the verdict rests on. */
export interface Judged {
  readonly state: JobState;
  readonly "end-time": number;
  readonly flott: Pick<JobFlott, "health">;
}

const lately = 3_600_000;

export function verdict(jobs: readonly Judged[], now: number): Verdict {
  const running = jobs.filter((j) => !ended(j.state));
  const failed = jobs.filter((j) => j.state === "FAILED" && now - j["end-time"] < lately).length;
  const tail = failed > 0 ? `, ${integer(failed)} failed within the hour` : "";
  const fine = failed > 0 ? "amber" : running.length > 0 ? "green" : "ended";
  if (running.length === 0) return { tone: fine, text: `No job runs${tail}`, title: "Overview" };
  const n = (health: Color) => running.filter((j) => j.flott.health === health).length;
  const [red, amber, unknown] = [n("red"), n("amber"), n("unknown")];
  const text = sentence(running.length, red, amber, unknown) + tail;
  if (red > 0) return { tone: "red", text, title: `${integer(red)} not making progress` };
  return { tone: amber > 0 ? "amber" : unknown > 0 ? "unknown" : fine, text, title: "Overview" };
}

function sentence(all: number, red: number, amber: number, unknown: number): string {
  const parts = [
    red > 0 && `${make(red)} no progress`,
    amber > 0 && `${need(amber)} attention`,
    unknown > 0 && `${are(unknown)} not known yet`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return well(all);
  const [first = "", ...rest] = parts;
  const whole = all === 1 ? first.replace(/^1 /, "The job ") : first.replace(" ", ` of ${integer(all)} jobs `);
  return [whole, ...rest].join(", ");
}

const well = (all: number): string =>
  all === 1 ? "The job makes progress" : `${all === 2 ? "Both" : `All ${integer(all)}`} jobs make progress`;

const verb = (one: string, many: string) => (n: number) => `${integer(n)} ${n === 1 ? one : many}`;
const make = verb("makes", "make");
const need = verb("needs", "need");
const are = verb("is", "are");

const badness: Record<Color, number> = { red: 0, amber: 1, unknown: 2, green: 3 };

/** worstFirst orders jobs by how they fare; among equals the newest comes first. */
export const worstFirst = <T extends Judged & { "start-time": number }>(jobs: readonly T[]): T[] =>
  [...jobs].sort((a, b) => badness[a.flott.health] - badness[b.flott.health] || b["start-time"] - a["start-time"]);
