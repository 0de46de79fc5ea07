import { size } from "./sizes";

/**
 * A Grid is what is ordered and put below each other: columns of items, and threads between neighbouring columns. An item is the
 * box of a chain, or a lane: the room of an edge in a column that it passes. As lanes have their place among the boxes, no edge can
 * ever cross a box.
 */
export interface Grid {
  columns: Item[][];
  threads: Thread[][]; // by the column that they leave
}

export interface Item {
  h: number;
  lane: boolean;
  born: number; // place in the program, which decides where nothing else does
  y: number;
  rank: number; // place in its column
  centre: number; // where its column wants it, while it is ordered
  in: Thread[];
  out: Thread[];
}

/** A Thread joins two items; each end is some way below the item's upper edge. */
export interface Thread {
  from: Item;
  to: Item;
  leaves: number;
  enters: number;
}

/** A Span is an edge between two boxes, of any length. */
export interface Span {
  from: Item;
  to: Item;
  first: number; // columns
  last: number;
  leaves: number;
  enters: number;
}

export const boxItem = (h: number, born: number): Item => item(h, false, born);

const item = (h: number, lane: boolean, born: number): Item => ({ h, lane, born, y: 0, rank: 0, centre: 0, in: [], out: [] });

/** addSpan puts an edge into the grid, and returns its lanes. */
export function addSpan(grid: Grid, span: Span): Item[] {
  const lanes: Item[] = [];
  let from = span.from;
  let leaves = span.leaves;
  for (let c = span.first + 1; c < span.last; c++) {
    const lane = item(size.lane, true, span.from.born + 0.5);
    grid.columns[c].push(lane);
    lanes.push(lane);
    join(grid, c - 1, { from, to: lane, leaves, enters: size.lane / 2 });
    from = lane;
    leaves = size.lane / 2;
  }
  join(grid, span.last - 1, { from, to: span.to, leaves, enters: span.enters });
  return lanes;
}

function join(grid: Grid, column: number, thread: Thread): void {
  grid.threads[column].push(thread);
  thread.from.out.push(thread);
  thread.to.in.push(thread);
}

/** room is the space that two neighbours in a column keep. */
export function room(above: Item, below: Item): number {
  if (above.lane && below.lane) return 2;
  return above.lane || below.lane ? 20 : size.between;
}
