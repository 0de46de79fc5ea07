// Small marks: how something fares, what it is called, how loaded it is. Colour never stands alone.

import type { ComponentChildren } from "preact";
import type { Color, Finding, Level } from "../api";
import { percent } from "../fmt";

/** A Tone is why something has a colour. Red is for what makes no progress, and for nothing else. */
export type Tone = Color | "ended" | "hot" | "plain";

const words: Record<Tone, string> = {
  green: "healthy",
  amber: "needs attention",
  red: "not making progress",
  unknown: "not known yet",
  ended: "ended",
  hot: "bottleneck",
  plain: "",
};

const toneOfLevel: Record<Level, Tone> = { ok: "green", pending: "unknown", warn: "amber", stalled: "red" };

/** toneOf is the tone of a finding: one that points at a vertex which is too slow has that of the bottleneck. */
export const toneOf = ({ kind, level }: Pick<Finding, "kind" | "level">): Tone =>
  level === "warn" && (kind === "bottleneck" || kind === "skew") ? "hot" : toneOfLevel[level];

/** A Dot has a shape for each tone: round, diamond, square, ring. An empty label: what stands beside it says the same. */
export function Dot({ tone, label = words[tone] }: { tone: Tone; label?: string }) {
  return label === "" ? <span class={`dot ${tone}`} aria-hidden="true" /> : <span class={`dot ${tone}`} role="img" aria-label={label} />;
}

export function Badge({ tone = "plain", children }: { tone?: Tone | "blue"; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

const hues = 7;

/** hue is the colour of the index-th vertex or job, as the value of the style property --c. */
export const hue = (index: number): { "--c": string } => ({ "--c": `var(--id${index % hues})` });

/** letters is the name of the index-th vertex: A to Z, then AA. */
export function letters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}

/** A Letter is a vertex wherever it is spoken of. */
export function Letter({ index }: { index: number }) {
  return (
    <span class="letter" style={hue(index)} aria-hidden="true">
      {letters(index)}
    </span>
  );
}

/** A LoadBar shows milliseconds of a second. Where its width is known, in whole pixels: less than one is not seen. */
export function LoadBar({ busy, bp, width }: { busy: number; bp: number; width?: number }) {
  const label = `busy ${percent(busy / 1000)}, back-pressured ${percent(bp / 1000)}, idle ${percent(Math.max(0, 1000 - busy - bp) / 1000)}`;
  const part = (ms: number) => (width ? `${Math.round((ms * width) / 1000)}px` : `${ms / 10}%`);
  const backgroundSize = `${part(busy)} 100%, ${part(busy + bp)} 100%`;
  return <div class="load" style={{ width, backgroundSize }} role="img" aria-label={label} />;
}

export function LoadLegend() {
  return (
    <span class="legend">
      <span class="key"><i class="busy" />busy</span>
      <span class="key"><i class="bp" />back-pressured</span>
      <span class="key"><i />idle</span>
    </span>
  );
}

/** A Meter shows a share; what it is of stands beside it. */
export function Meter({ share, tone = "plain", label }: { share: number; tone?: Tone; label: string }) {
  return (
    <div class={`meter ${tone}`} role="img" aria-label={`${label}: ${percent(share)}`}>
      <i style={{ width: `${Math.min(100, Math.max(0, share * 100))}%` }} />
    </div>
  );
}

/** A Spark is the way of a number in the last minutes, drawn small; the number itself stands beside it. */
export function Spark({ points, format, width = 92, height = 24, tone = "plain", max }: SparkProps) {
  const known = points.filter((p) => p !== null);
  if (known.length < 2) return <span class="spark" style={{ width, height }} />;
  const top = Math.max(max ?? 0, ...known, 1e-9);
  const x = (i: number) => ((i / (points.length - 1)) * width).toFixed(1);
  const y = (v: number) => (height - 1 - (v / top) * (height - 3)).toFixed(1);
  const line = lineOf(points, (i, v) => `${x(i)} ${y(v)}`);
  const first = x(points.findIndex((p) => p !== null));
  const last = x(points.findLastIndex((p) => p !== null));
  return (
    <svg class={`spark ${tone}`} width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Between ${format(Math.min(...known))} and ${format(Math.max(...known))} in the last minutes`}>
      <path class="area" d={`M${first} ${height}L${line}L${last} ${height}Z`} />
      <path class="line" d={`M${line}`} />
    </svg>
  );
}

interface SparkProps {
  points: readonly (number | null)[];
  format: (n: number) => string;
  width?: number;
  height?: number;
  tone?: Tone;
  max?: number;
}

/** lineOf leaves out what was not measured: the line goes straight over it. */
const lineOf = (points: readonly (number | null)[], at: (i: number, v: number) => string): string =>
  points.flatMap((v, i) => (v === null ? [] : [at(i, v)])).join("L");
