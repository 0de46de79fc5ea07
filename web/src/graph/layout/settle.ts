/** A Wish is a thing that wants its upper edge somewhere. */
export interface Wish {
  want: number;
  size: number;
  weight: number;
}

interface Pool {
  sum: number; // of weight times wish
  weight: number;
  count: number;
}

/**
 * settle puts things below each other, in the order given, as near as can be to where each wants to be: the weighted squares of
 * all moves are least. room(i) is the space between thing i-1 and thing i.
 *
 * Once the room that the things before it need is taken off each wish, what is asked for is the nearest sequence that never
 * falls. Neighbours that would fall are pooled and share their mean, until none does.
 */
export function settle(things: Wish[], room: (i: number) => number): number[] {
  const before: number[] = [];
  const pools: Pool[] = [];
  things.forEach((thing, i) => {
    before.push(i === 0 ? 0 : before[i - 1] + things[i - 1].size + room(i));
    pools.push({ sum: (thing.want - before[i]) * thing.weight, weight: thing.weight, count: 1 });
    while (pools.length > 1 && mean(pools[pools.length - 2]) > mean(pools[pools.length - 1])) join(pools);
  });
  const at: number[] = [];
  for (const p of pools) {
    for (let k = 0, base = Math.round(mean(p)); k < p.count; k++) at.push(base + before[at.length]);
  }
  return at;
}

const mean = (p: Pool): number => p.sum / p.weight;

function join(pools: Pool[]): void {
  const last = pools.pop()!;
  const one = pools[pools.length - 1];
  one.sum += last.sum;
  one.weight += last.weight;
  one.count += last.count;
}

/** within moves what settle has put, as little as needed, so that all of it is between two edges. It must fit. */
export function within(at: number[], things: Wish[], gap: number, from: number, to: number): number[] {
  const out = [...at];
  let edge = from;
  for (let i = 0; i < out.length; i++) {
    out[i] = Math.max(out[i], edge);
    edge = out[i] + things[i].size + gap;
  }
  edge = to;
  for (let i = out.length - 1; i >= 0; i--) {
    out[i] = Math.min(out[i], edge - things[i].size);
    edge = out[i] - gap;
  }
  return out;
}
