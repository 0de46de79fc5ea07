import type { Grid, Item, Thread } from "./grid";

const sweeps = 8;
const patience = 3; // sweeps without a better order

/**
 * order decides who is above whom in each column. It sweeps over the columns, right and left in turn, puts each item at the
 * barycentre of what it is joined to in the column before, and keeps the order that had the fewest crossings. What is equal stays
 * as in the program, so that a job that is submitted again looks the same.
 */
export function order(grid: Grid): void {
  for (const column of grid.columns) rank(column.sort((a, b) => a.born - b.born));
  let best = crossings(grid);
  let kept = grid.columns.map((c) => [...c]);
  for (let s = 0, idle = 0; s < sweeps && best > 0 && idle < patience; s++, idle++) {
    sweep(grid, s % 2 === 0);
    const now = crossings(grid);
    if (now >= best) continue;
    best = now;
    idle = -1;
    kept = grid.columns.map((c) => [...c]);
  }
  grid.columns = kept;
  grid.columns.forEach(rank);
}

function rank(column: Item[]): void {
  column.forEach((item, i) => (item.rank = i));
}

function sweep(grid: Grid, rightwards: boolean): void {
  const columns = rightwards ? grid.columns : [...grid.columns].reverse();
  for (const column of columns) {
    for (const item of column) item.centre = barycentre(item, rightwards);
    rank(column.sort((a, b) => a.centre - b.centre || a.born - b.born || a.rank - b.rank));
  }
}

/** barycentre is where the other ends are on the whole, counted in items; an end in the lower half of a box counts for more. */
function barycentre(item: Item, rightwards: boolean): number {
  const threads = rightwards ? item.in : item.out;
  if (threads.length === 0) return item.rank;
  let sum = 0;
  for (const t of threads) sum += rightwards ? leaving(t) : entering(t);
  return sum / threads.length;
}

const leaving = (t: Thread): number => t.from.rank + t.leaves / t.from.h;

const entering = (t: Thread): number => t.to.rank + t.enters / t.to.h;

/** crossings counts the pairs of threads that cross. */
export function crossings(grid: Grid): number {
  let n = 0;
  for (const threads of grid.threads) {
    threads.sort((a, b) => leaving(a) - leaving(b) || entering(a) - entering(b));
    n += inversions(Float64Array.from(threads, entering));
  }
  return n;
}

/** inversions counts the pairs that are in the wrong order, as merge sort meets them. It sorts the list. */
function inversions(list: Float64Array): number {
  let n = 0;
  const other = new Float64Array(list.length);
  for (let width = 1; width < list.length; width *= 2) {
    for (let from = 0; from < list.length; from += 2 * width) {
      n += merge(list, other, from, Math.min(from + width, list.length), Math.min(from + 2 * width, list.length));
    }
    list.set(other);
  }
  return n;
}

function merge(list: Float64Array, into: Float64Array, from: number, half: number, to: number): number {
  let n = 0;
  for (let k = from, i = from, j = half; k < to; k++) {
    if (j === to || (i < half && list[i] <= list[j])) into[k] = list[i++];
    else {
      into[k] = list[j++];
      n += half - i;
    }
  }
  return n;
}
