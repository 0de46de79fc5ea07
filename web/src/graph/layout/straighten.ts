import { type Grid, type Item, room, type Thread } from "./grid";
import { settle } from "./settle";

const sweeps = 4;

/** straighten finds the heights: each item as near as can be to what it is joined to, and lanes, which may be long, before all. */
export function straighten(grid: Grid): void {
  grid.columns.forEach(stack);
  for (let s = 0; s < sweeps; s++) {
    for (const column of grid.columns) place(column, (item) => item.in);
    for (const column of [...grid.columns].reverse()) place(column, (item) => item.out);
  }
  for (const column of grid.columns) place(column, (item) => (item.in.length ? item.in : item.out));
  for (const column of grid.columns) place(column, (item) => [...item.in, ...item.out]);
}

/** stack puts a column around the line y = 0. */
function stack(column: Item[]): void {
  const wishes = column.map((item) => ({ want: 0, size: item.h, weight: 1 }));
  const at = settle(wishes, (i) => room(column[i - 1], column[i]));
  column.forEach((item, i) => (item.y = at[i] - Math.round(item.h / 2)));
}

function place(column: Item[], joined: (item: Item) => Thread[]): void {
  const wishes = column.map((item) => {
    const threads = joined(item);
    let [sum, weight] = [0, 0];
    for (const t of threads) {
      const w = weightOf(t);
      sum += w * (t.from === item ? t.to.y + t.enters - t.leaves : t.from.y + t.leaves - t.enters);
      weight += w;
    }
    return weight ? { want: sum / weight, size: item.h, weight } : { want: item.y, size: item.h, weight: 0.1 };
  });
  const at = settle(wishes, (i) => room(column[i - 1], column[i]));
  column.forEach((item, i) => (item.y = at[i]));
}

const weightOf = (t: Thread): number => (t.from.lane ? (t.to.lane ? 8 : 2) : t.to.lane ? 2 : 1);
