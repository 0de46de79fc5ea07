import type { Edge } from "../model";
import { type Lane, line, ribbon } from "./curve";
import type { EdgePlace, Layout } from "./layout";
import { type Mark, type Marks } from "./marks";
import { passageY } from "./places";
import { around, middle, right, size } from "./sizes";

export type TaskLayer = 3 | 4;

/** Channels is the channels of an edge: lines between marks, or one ribbon when there are too many to tell apart. */
export type Channels = { lines: Channel[] } | { ribbon: string };

export interface Channel {
  from: Mark;
  to: Mark;
  path: string;
}

/** most is how many lines an edge has. */
const most = 1024;

/** hasRibbon says that an edge between all has too many channels to tell apart. */
export const hasRibbon = ({ input, from, to }: Edge): boolean => !input?.wiring && from.chain.parallelism * to.chain.parallelism > most;

/** channelsOf is all channels of an edge. */
export function channelsOf(l: Layout, p: EdgePlace, layer: TaskLayer): Channels {
  const [from, to] = ends(l, p.edge, layer);
  if (!from.all.length || !to.all.length) return { lines: [] };
  if (hasRibbon(p.edge)) return { ribbon: whole(l, p, layer) };
  const wired = p.edge.input?.wiring;
  const pairs = wired ? wiredPairs(wired, from, to) : from.all.flatMap((a) => to.all.map((b): [Mark, Mark] => [a, b]));
  if (pairs.length > most) return { ribbon: whole(l, p, layer) };
  return { lines: pairs.map(([a, b]) => channel(l, p, layer, a, b)) };
}

/** channelsAt is those of an edge that a mark has. */
export function channelsAt(l: Layout, p: EdgePlace, layer: TaskLayer, mark: Mark): Channel[] {
  const [from, to] = ends(l, p.edge, layer);
  const wired = p.edge.input?.wiring;
  const atFrom = p.edge.from.chain === mark.chain;
  if (!atFrom && p.edge.to.chain !== mark.chain) return [];
  const pairs = wired
    ? wiredPairs(wired, from, to).filter((pair) => pair[atFrom ? 0 : 1] === mark)
    : (atFrom ? to : from).all.map((other): [Mark, Mark] => (atFrom ? [mark, other] : [other, mark]));
  return pairs.map(([a, b]) => channel(l, p, layer, a, b));
}

const ends = (l: Layout, e: Edge, layer: TaskLayer): [Marks, Marks] => {
  const marks = (chain: number): Marks => (layer === 3 ? l.chains[chain].rows : l.places.marks[chain]);
  return [marks(e.from.chain.index), marks(e.to.chain.index)];
};

/** wiredPairs is the marks that a POINTWISE edge joins, each pair once. */
function wiredPairs(wired: [number, number][], from: Marks, to: Marks): [Mark, Mark][] {
  const seen = new Map<Mark, Set<Mark>>();
  const pairs: [Mark, Mark][] = [];
  wired.forEach(([first, last], consumer) => {
    const b = to.of[consumer];
    for (let producer = first; producer <= last; producer++) {
      const a = from.of[producer];
      const known = seen.get(a) ?? new Set();
      if (!a || !b || known.has(b)) continue;
      seen.set(a, known.add(b));
      pairs.push([a, b]);
    }
  });
  return pairs;
}

function channel(l: Layout, p: EdgePlace, layer: TaskLayer, from: Mark, to: Mark): Channel {
  const lanes = layer === 3 ? p.lanes : p.lanes.map((lane) => ({ ...lane, y: bandWay(l, to, p) }));
  const [a, b] = [from.box, to.box];
  const shift = layer === 3 ? (to.subtasks[0] % 8) - 4 : 0;
  const outer: [number, number] = [right(a) + size.pad, b.x - size.pad];
  return { from, to, path: line({ x: right(a), y: middle(a) }, { x: b.x, y: middle(b) }, lanes, outer, shift) };
}

/** bandWay is the height at which a channel passes columns in layer 4: in the head of the TaskManager that it goes to. */
function bandWay(l: Layout, to: Mark, p: EdgePlace): number {
  return l.places.bands[to.band].box.y + 6 + ((p.index * 5) % (size.band - 10));
}

function whole(l: Layout, p: EdgePlace, layer: TaskLayer): string {
  const [from, to] = ends(l, p.edge, layer).map((m) => around(m.all.map((mark) => mark.box)));
  const lanes: Lane[] = layer === 3 ? p.lanes : p.lanes.map((lane) => ({ ...lane, y: passageY(l.places) }));
  return ribbon(from, to, lanes, [right(from) + size.pad, to.x - size.pad]);
}
