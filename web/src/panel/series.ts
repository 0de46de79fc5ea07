import type { History, Points } from "../api";
import { spreadOf } from "./spread";

/** A Line of a chart: a subtask, or a quantile of many. */
export interface Line {
  label: string;
  points: Points;
  /** Drawn in colour: the others are there to compare. */
  hot: boolean;
}

const max = "max";

/**
 * linesOf is the lines of a metric. In colour is the subtask that is asked for, else the one that is far above the others on
 * average; of quantiles the largest.
 */
export function linesOf(h: History, name: string, subtask?: number): Line[] {
  const all = h.series[name] ?? [];
  const outlier = spreadOf(all.map((points) => meanOf(points))).outlier;
  const chosen = subtask !== undefined && h.lanes.includes(String(subtask)) ? String(subtask) : outlier === null ? "" : h.lanes[outlier];
  return all.map((points, i) => {
    const label = h.lanes[i] ?? String(i);
    return { label: /^\d+$/.test(label) ? `subtask ${label}` : label, points, hot: all.length === 1 || label === (chosen || max) };
  });
}

/** withLane is a history of quantiles with one subtask beside them, at the times of the quantiles. */
export function withLane(quantiles: History, one: History): History {
  const shift = Math.round((quantiles.from - one.from) / quantiles.step);
  const series: Record<string, Points[]> = {};
  for (const [name, lanes] of Object.entries(quantiles.series)) {
    const points = one.series[name]?.[0] ?? [];
    series[name] = [...lanes, (lanes[0] ?? []).map((_, i) => points[i + shift] ?? null)];
  }
  return { ...quantiles, lanes: [...quantiles.lanes, ...one.lanes], series };
}

export interface Summary {
  now: number | null;
  min: number | null;
  mean: number | null;
  max: number | null;
}

export function summaryOf(points: Points): Summary {
  const known = points.filter((p) => p !== null);
  if (known.length === 0) return { now: null, min: null, mean: null, max: null };
  return { now: points.at(-1) ?? null, min: Math.min(...known), mean: meanOf(points), max: Math.max(...known) };
}

function meanOf(points: Points): number | null {
  const known = points.filter((p) => p !== null);
  return known.length > 0 ? known.reduce((a, b) => a + b, 0) / known.length : null;
}

/** timesOf is when each point was taken, in seconds. */
export const timesOf = (h: History): number[] => {
  const length = Math.max(0, ...Object.values(h.series).map((lanes) => lanes[0]?.length ?? 0));
  return Array.from({ length }, (_, i) => (h.from + i * h.step) / 1000);
};

/** readout is what the chart shows at one point: the lines in colour, and between what the others are. */
export function readout(lines: readonly Line[], at: number, format: (n: number | null) => string): string {
  const value = (l: Line) => l.points[at] ?? null;
  const named = lines.filter((l) => l.hot).map((l) => `${l.label} ${format(value(l))}`);
  const others = lines.filter((l) => !l.hot).flatMap((l) => value(l) ?? []);
  if (others.length > 0) named.push((named.length === 0 ? "" : others.length === 1 ? "the other " : "others ") + between(others, format));
  return named.join(", ");
}

/** between is the least and the largest of some numbers, once if they are written alike. */
function between(all: readonly number[], format: (n: number) => string): string {
  const [least, most] = [format(Math.min(...all)), format(Math.max(...all))];
  return least === most ? least : `${least} to ${most}`;
}

/** measured says that there is a number anywhere in the lines. */
export const measured = (lines: readonly Line[]): boolean => lines.some((l) => l.points.some((p) => p !== null));
