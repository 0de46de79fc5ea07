import { type Box, left, type Point, size } from "./sizes";

/** A Lane is where a line passes a column: straight, between boxes. */
export interface Lane {
  column: number;
  y: number;
}

const before = 24; // how far in front of a column a lane begins, and ends behind it

/** laneEnds is where a lane begins and ends. */
export const laneEnds = (l: Lane): [number, number] => [left(l.column) - before, left(l.column) + size.column + before];

/**
 * line is a path from one point to another, rightwards: curves in the gaps between columns, straight in the lanes. The first and the
 * last pixels, up to the edges of the columns, are straight, too: so a curve is never over a column.
 */
export function line(from: Point, to: Point, lanes: Lane[], edges: [number, number] = [from.x, to.x], shift = 0): string {
  let at = { x: edges[0], y: from.y };
  let d = `M${from.x} ${from.y}${from.x === at.x ? "" : `H${at.x}`}`;
  for (const lane of lanes) {
    const [begin, end] = laneEnds(lane);
    d += `${curve(at, { x: begin, y: lane.y + shift })}H${end}`;
    at = { x: end, y: lane.y + shift };
  }
  d += curve(at, { x: edges[1], y: to.y });
  return to.x === edges[1] ? d : `${d}H${to.x}`;
}

function curve(from: Point, to: Point): string {
  const d = Math.max(20, Math.min(90, Math.round((to.x - from.x) / 2)));
  return `C${from.x + d} ${from.y} ${to.x - d} ${to.y} ${to.x} ${to.y}`;
}

/** ribbon is the area between a line at the top and one at the bottom: many channels as one shape. */
export function ribbon(from: Box, to: Box, lanes: Lane[], edges: [number, number]): string {
  const top = line({ x: edges[0], y: from.y }, { x: edges[1], y: to.y }, lanes, edges, -4);
  const back = backwards({ x: edges[1], y: to.y + to.h }, { x: edges[0], y: from.y + from.h }, lanes, 4);
  return `${top}L${edges[1]} ${to.y + to.h}${back}Z`;
}

/** backwards is the line without its first point, from its end to its beginning. */
function backwards(to: Point, from: Point, lanes: Lane[], shift: number): string {
  let at = to;
  let d = "";
  for (const lane of [...lanes].reverse()) {
    const [begin, end] = laneEnds(lane);
    d += `${curveBack(at, { x: end, y: lane.y + shift })}H${begin}`;
    at = { x: begin, y: lane.y + shift };
  }
  return d + curveBack(at, from);
}

function curveBack(from: Point, to: Point): string {
  const d = Math.max(20, Math.min(90, Math.round((from.x - to.x) / 2)));
  return `C${from.x - d} ${from.y} ${to.x + d} ${to.y} ${to.x} ${to.y}`;
}
