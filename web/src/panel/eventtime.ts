import { clockExact, duration, unknown } from "../fmt";

/** How far event time has come: nowhere yet, to a moment, or to the end, because all input was read. */
export type Mark = "none" | "end" | { at: number; behind: number };

/** Flink's MAX_WATERMARK is the largest 64-bit number, which has no exact one here. */
const endOfTime = 2 ** 63;

export function markOf(watermark: number | null | undefined, now: number): Mark {
  if (watermark == null) return "none";
  return watermark >= endOfTime ? "end" : { at: watermark, behind: Math.max(0, now - watermark) };
}

/** lag is how far a mark is behind the clock; null: that cannot be said. */
export const lag = (m: Mark): number | null => (typeof m === "object" ? m.behind : null);

export function lagText(m: Mark): string {
  if (m === "end") return "all read";
  return m === "none" ? unknown : duration(m.behind);
}

export function markText(m: Mark): string {
  if (m === "end") return "the end: all input is read";
  return m === "none" ? "none yet" : clockExact(m.at);
}

export interface Slowest {
  mark: Mark;
  subtask: number;
}

/** slowest is the mark that holds the others back: one that has none yet, else the lowest. */
export function slowest(marks: readonly Mark[]): Slowest | null {
  let worst: Slowest | null = null;
  marks.forEach((mark, subtask) => {
    if (!worst || order(mark) < order(worst.mark)) worst = { mark, subtask };
  });
  return worst;
}

const order = (m: Mark): number => (m === "none" ? -Infinity : m === "end" ? Infinity : m.at);
