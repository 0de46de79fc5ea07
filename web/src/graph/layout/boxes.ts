import type { Chain, Edge, Model } from "../model";
import { boxHeight, portOf } from "./cards";
import { columnsOf, partsOf } from "./columns";
import type { Lane } from "./curve";
import { addSpan, boxItem, type Grid, type Item } from "./grid";
import { order } from "./order";
import { type Box, left, size } from "./sizes";
import { straighten } from "./straighten";

/** Boxes is where chains are in layers 1 to 3, and the lanes of the edges that pass columns. */
export interface Boxes {
  column: number[]; // by the index of the chain
  box: Box[];
  lanes: Map<Edge, Lane[]>;
}

/** boxesOf puts the parts of a job below each other; each is ordered and straightened by itself. */
export function boxesOf(model: Model, cut: Edge[]): Boxes {
  const links = cut.map((e) => ({ from: e.from.chain.index, to: e.to.chain.index }));
  const out: Boxes = { column: columnsOf(model.chains.length, links), box: [], lanes: new Map() };
  let top = 0;
  for (const part of partsOf(model.chains.length, links)) {
    const chains = part.map((i) => model.chains[i]);
    top = addPart(out, chains, cut.filter((e) => chains.includes(e.from.chain)), top) + size.between;
  }
  return out;
}

/** addPart returns where the part ends. */
function addPart(out: Boxes, chains: Chain[], cut: Edge[], top: number): number {
  const items = new Map(chains.map((c) => [c, boxItem(boxHeight(c), c.index)]));
  const width = Math.max(...chains.map((c) => out.column[c.index])) + 1;
  const grid: Grid = {
    columns: Array.from({ length: width }, (_, k) =>
      chains.filter((c) => out.column[c.index] === k).map((c) => items.get(c)!),
    ),
    threads: Array.from({ length: width }, () => []),
  };
  const lanes = cut.map((e) => addSpan(grid, spanOf(e, items, out.column)));
  order(grid);
  straighten(grid);
  const all = grid.columns.flat();
  const move = top - Math.min(...all.map((i) => i.y));
  for (const [c, i] of items) {
    out.box[c.index] = { x: left(out.column[c.index]), y: i.y + move, w: size.column, h: i.h };
  }
  cut.forEach((e, k) => {
    const first = out.column[e.from.chain.index] + 1;
    out.lanes.set(e, lanes[k].map((l, i) => ({ column: first + i, y: l.y + move + size.lane / 2 })));
  });
  return Math.max(...all.map((i) => i.y + i.h)) + move;
}

function spanOf(e: Edge, items: Map<Chain, Item>, column: number[]) {
  const [from, to] = [items.get(e.from.chain)!, items.get(e.to.chain)!];
  return {
    from,
    to,
    first: column[e.from.chain.index],
    last: column[e.to.chain.index],
    leaves: portOf(e.from, from.h),
    enters: portOf(e.to, to.h),
  };
}
