/** A Link says that one chain feeds another, by their indexes. */
export interface Link {
  from: number;
  to: number;
}

/** columnsOf is the column of each chain: the longest way to it from a source. The graph has no loops, the compiler refuses them. */
export function columnsOf(count: number, links: Link[]): number[] {
  const column = new Array<number>(count).fill(0);
  const waits = new Array<number>(count).fill(0);
  const readers: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of links) {
    waits[to]++;
    readers[from].push(to);
  }
  const ready = [...waits.keys()].filter((c) => waits[c] === 0);
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    for (const reader of readers[next]) {
      column[reader] = Math.max(column[reader], column[next] + 1);
      if (--waits[reader] === 0) ready.push(reader);
    }
  }
  return column;
}

/** partsOf divides chains into parts that have nothing to do with each other, in the order of the program. */
export function partsOf(count: number, links: Link[]): number[][] {
  const root = [...new Array<number>(count).keys()];
  const find = (c: number): number => (root[c] === c ? c : (root[c] = find(root[c])));
  for (const { from, to } of links) {
    const [a, b] = [find(from), find(to)];
    root[Math.max(a, b)] = Math.min(a, b);
  }
  const parts = new Map<number, number[]>();
  for (let c = 0; c < count; c++) {
    const part = parts.get(find(c));
    if (part) part.push(c);
    else parts.set(find(c), [c]);
  }
  return [...parts.values()];
}
