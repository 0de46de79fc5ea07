import { type Box, middle } from "./layout/sizes";

/** A View is how the picture lies in its window: moved by x and y, and drawn k times as large. */
export interface View {
  x: number;
  y: number;
  k: number;
}

export interface Size {
  w: number;
  h: number;
}

const least = 0.05;
const greatest = 3;

/** farBelow is the scale below which the picture has fewer and larger words. */
export const farBelow = 0.72;

/** phone is the width below which there is no room around the picture. */
export const phone = 500;

const margin = { side: 36, narrow: 16, top: 40, bottom: 52 };

/** zoom makes the picture larger about a point, which stays where it is. */
export function zoom(v: View, factor: number, at: { x: number; y: number }): View {
  const k = Math.max(least, Math.min(greatest, v.k * factor));
  return { k, x: at.x - ((at.x - v.x) * k) / v.k, y: at.y - ((at.y - v.y) * k) / v.k };
}

/**
 * fit shows all of the picture. In a narrow window, where that would be too small to read, it shows a part: the one that matters.
 */
export function fit(bounds: Box, window: Size, matters: Box | null, legible: number): View {
  const side = window.w < phone ? margin.narrow : margin.side;
  const room = { w: window.w - 2 * side, h: window.h - margin.top - margin.bottom };
  const whole = Math.min(room.w / Math.max(1, bounds.w), room.h / Math.max(1, bounds.h), 1.25);
  if (whole >= legible || !matters) return centred(bounds, window, Math.max(whole, least));
  const v = centred(bounds, window, legible);
  if (bounds.w * legible > room.w) v.x = keep(window.w / 2 - (matters.x + matters.w / 2) * legible, bounds.x, bounds.w, legible, side, window.w - side);
  if (bounds.h * legible > room.h) v.y = keep(window.h / 2 - middle(matters) * legible, bounds.y, bounds.h, legible, margin.top, window.h - margin.bottom);
  return v;
}

/** centred is in the middle, but on a phone at the top, where it is seen without scrolling. */
function centred(b: Box, window: Size, k: number): View {
  const y = window.w < phone ? margin.top : (window.h - margin.bottom + margin.top - b.h * k) / 2;
  return { k, x: (window.w - b.w * k) / 2 - b.x * k, y: Math.max(margin.top, y) - b.y * k };
}

/** keep moves a picture, larger than its window, only so far that no side of it is left empty. */
const keep = (at: number, from: number, length: number, k: number, low: number, high: number): number =>
  Math.min(low - from * k, Math.max(high - (from + length) * k, at));

/** reveal moves the picture so little that a box is in the window. */
export function reveal(v: View, b: Box, window: Size): View {
  const nearer = (at: number, length: number, low: number, high: number): number =>
    at < low ? low - at : at + length > high ? Math.max(low - at, high - at - length) : 0;
  return {
    k: v.k,
    x: v.x + nearer(v.x + b.x * v.k, b.w * v.k, margin.narrow, window.w - margin.narrow),
    y: v.y + nearer(v.y + b.y * v.k, b.h * v.k, margin.top, window.h - margin.bottom),
  };
}

/** sees says that a box is in the window, or less than so many windows away. */
export const sees = (v: View, b: Box, window: Size, away: number): boolean =>
  v.x + b.x * v.k < (1 + away) * window.w &&
  v.x + (b.x + b.w) * v.k > -away * window.w &&
  v.y + b.y * v.k < (1 + away) * window.h &&
  v.y + (b.y + b.h) * v.k > -away * window.h;
