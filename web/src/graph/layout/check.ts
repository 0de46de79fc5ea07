import { channelsOf, type TaskLayer } from "./channels";
import type { Layout } from "./layout";
import { bottom, type Box, right } from "./sizes";

// What must hold for every picture. For tests.

/** A Thing is a box that is drawn; things of the same owner may lie over each other. */
interface Thing {
  name: string;
  owners: string[];
  box: Box;
}

/** A Stroke is a line that is drawn, and the things that it may touch. */
interface Stroke {
  name: string;
  ends: string[];
  path: string;
}

/** faults is everything that is wrong with a picture. */
export function faults(l: Layout): string[] {
  return [...faultsOf(1, l), ...faultsOf(2, l), ...faultsOf(3, l), ...faultsOf(4, l), ...moved(l), ...inBoxes(l)];
}

function faultsOf(layer: 1 | 2 | 3 | 4, l: Layout): string[] {
  const things = thingsOf(layer, l);
  const strokes = layer === 1 || layer === 2 ? streamStrokes(layer, l) : channelStrokes(layer, l);
  const bounds = layer === 4 ? l.bounds.places : l.bounds.boxes;
  return [...overlaps(things), ...outside(things, bounds), ...crossings(strokes, things, bounds)].map((f) => `layer ${layer}: ${f}`);
}

function thingsOf(layer: 1 | 2 | 3 | 4, l: Layout): Thing[] {
  const things: Thing[] = [];
  const add = (name: string, box: Box | undefined, ...owners: string[]): void => {
    if (box) things.push({ name, owners: [name, ...owners], box });
  };
  for (const c of l.chains) {
    const own = `box ${c.chain.index}`;
    if (layer === 4) {
      add(`head ${c.chain.index}`, l.places.heads[c.chain.index]);
      l.places.marks[c.chain.index].all.forEach((m) => add(`task ${c.chain.index}.${m.subtasks[0]}`, m.box));
      continue;
    }
    things.push({ name: own, owners: [own, ...inside(c.chain.index, layer, l)], box: c.box });
    for (const o of c.chain.operators) {
      const place = l.operators.get(o.id)!;
      add(`operator ${o.id}`, layer === 3 ? place.line : place.card, own);
    }
    if (layer === 3) c.rows.all.forEach((m) => add(`task ${c.chain.index}.${m.subtasks[0]}`, m.box, own));
  }
  for (const p of l.edges) {
    add(`label ${p.edge.id}`, layer === 4 ? p.labels.places : layer === 3 ? p.labels.rows : p.labels.cards);
  }
  return things;
}

/** inside is the names of what may lie on a box. */
function inside(chain: number, layer: number, l: Layout): string[] {
  const c = l.chains[chain];
  const operators = c.chain.operators.map((o) => `operator ${o.id}`);
  return layer === 3 ? [...operators, ...c.rows.all.map((m) => `task ${chain}.${m.subtasks[0]}`)] : operators;
}

function streamStrokes(layer: 1 | 2, l: Layout): Stroke[] {
  const strokes = l.edges.map((p) => ({
    name: `edge ${p.edge.id}`,
    ends: [`box ${p.edge.from.chain.index}`, `box ${p.edge.to.chain.index}`],
    path: layer === 1 ? p.stream : p.job,
  }));
  for (const [e, joint] of l.joints) {
    strokes.push({ name: `joint ${e.id}`, ends: [`box ${e.from.chain.index}`, `operator ${e.from.id}`], path: joint.path });
  }
  return strokes;
}

function channelStrokes(layer: TaskLayer, l: Layout): Stroke[] {
  return l.edges.flatMap((p) => {
    const channels = channelsOf(l, p, layer);
    const chains = [p.edge.from.chain.index, p.edge.to.chain.index];
    if ("ribbon" in channels) return [{ name: `ribbon ${p.edge.id}`, ends: chains.map((c) => `box ${c}`), path: channels.ribbon }];
    return sampleOf(channels.lines).map((c) => ({
      name: `channel ${p.edge.id}`,
      ends: [...chains.map((k) => `box ${k}`), `task ${chains[0]}.${c.from.subtasks[0]}`, `task ${chains[1]}.${c.to.subtasks[0]}`],
      path: c.path,
    }));
  });
}

/** sampleOf is at most so many of a list, the first and the last among them. */
function sampleOf<T>(list: T[], most = 6): T[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * (list.length - 1)) / (most - 1))]);
}

const hit = (a: Box, b: Box): boolean => a.x < right(b) && b.x < right(a) && a.y < bottom(b) && b.y < bottom(a);

function overlaps(things: Thing[]): string[] {
  const sorted = [...things].sort((a, b) => a.box.y - b.box.y);
  const found: string[] = [];
  sorted.forEach((a, i) => {
    for (let k = i + 1; k < sorted.length && sorted[k].box.y < bottom(a.box); k++) {
      const b = sorted[k];
      if (hit(a.box, b.box) && !a.owners.includes(b.name) && !b.owners.includes(a.name)) found.push(`${a.name} overlaps ${b.name}`);
    }
  });
  return found;
}

function outside(things: Thing[], bounds: Box): string[] {
  return things.filter((t) => !holds(bounds, t.box)).map((t) => `${t.name} is outside`);
}

const holds = (a: Box, b: Box): boolean => a.x <= b.x && a.y <= b.y && right(a) >= right(b) && bottom(a) >= bottom(b);

function crossings(strokes: Stroke[], things: Thing[], bounds: Box): string[] {
  const near = raster(things.filter((t) => !t.name.startsWith("label")));
  const found = new Set<string>();
  for (const s of strokes) {
    for (const [x, y] of samples(s.path)) {
      if (x < bounds.x - 1 || x > right(bounds) + 1 || y < bounds.y - 1 || y > bottom(bounds) + 1) found.add(`${s.name} leaves the picture`);
      for (const t of near.get(cell(x, y)) ?? []) {
        const inIt = x > t.box.x && x < right(t.box) && y > t.box.y && y < bottom(t.box);
        if (inIt && !may(s, t)) found.add(`${s.name} crosses ${t.name}`);
      }
    }
  }
  return [...found];
}

/** may says that a line may be over a thing: over its own two ends, and what is in the margin of these. */
const may = (s: Stroke, t: Thing): boolean => s.ends.includes(t.name);

const side = 64;

const cell = (x: number, y: number): number => Math.floor(x / side) * 1e6 + Math.floor(y / side);

/** raster finds the things near a point. */
function raster(things: Thing[]): Map<number, Thing[]> {
  const cells = new Map<number, Thing[]>();
  for (const t of things) {
    for (let x = t.box.x; x < right(t.box) + side; x += side) {
      for (let y = t.box.y; y < bottom(t.box) + side; y += side) {
        const same = cells.get(cell(x, y));
        if (same) same.push(t);
        else cells.set(cell(x, y), [t]);
      }
    }
  }
  return cells;
}

/** samples is points of a path of M, H, V, L, C and Z: its corners, and between them so many that no box is missed. */
export function samples(path: string): [number, number][] {
  const points: [number, number][] = [];
  let [x, y] = [0, 0];
  for (const part of path.split(/(?=[MHVLCZ])/)) {
    const n = part.slice(1).split(" ").map(Number);
    const [x0, y0] = [x, y];
    switch (part[0]) {
      case "M":
        [x, y] = [n[0], n[1]];
        continue;
      case "Z":
        continue;
      case "C":
        [x, y] = [n[4], n[5]];
        between(12, (t) => points.push([bezier(x0, n[0], n[2], x, t), bezier(y0, n[1], n[3], y, t)]));
        continue;
      case "H":
        x = n[0];
        break;
      case "V":
        y = n[0];
        break;
      default:
        [x, y] = [n[0], n[1]];
    }
    between(Math.ceil(Math.hypot(x - x0, y - y0) / 30), (t) => points.push([x0 + (x - x0) * t, y0 + (y - y0) * t]));
  }
  return points;
}

function between(steps: number, at: (t: number) => void): void {
  for (let i = 0; i <= steps; i++) at(i / steps);
}

const bezier = (a: number, b: number, c: number, d: number, t: number): number => {
  const u = 1 - t;
  return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
};

/** moved is the tasks that are not at the same x in layers 3 and 4. */
function moved(l: Layout): string[] {
  return l.chains.flatMap((c) => {
    const marks = [...c.rows.all, ...l.places.marks[c.chain.index].all];
    const far = marks.filter((m) => m.box.x !== c.rows.all[0].box.x || m.box.w !== c.rows.all[0].box.w);
    const operators = c.chain.operators.map((o) => l.operators.get(o.id)!);
    const off = operators.filter((o) => o.card.x !== o.line.x || o.card.w !== o.line.w);
    return [...far.map(() => `a task of box ${c.chain.index} moves aside`), ...off.map((o) => `operator ${o.operator.id} moves aside`)];
  });
}

/** inBoxes is what is not in its box or in its TaskManager, and subtasks that nothing stands for. */
function inBoxes(l: Layout): string[] {
  const found: string[] = [];
  for (const c of l.chains) {
    for (const o of c.chain.operators) {
      const { card, line } = l.operators.get(o.id)!;
      if (!holds(c.box, card) || !holds(c.box, line)) found.push(`operator ${o.id} leaves its box`);
    }
    for (const m of c.rows.all) if (!holds(c.box, m.box)) found.push(`a task leaves box ${c.chain.index}`);
    const placed = l.places.marks[c.chain.index];
    for (const m of placed.all) if (!holds(l.places.bands[m.band].box, m.box)) found.push(`a task leaves its TaskManager`);
    for (const s of c.chain.subtasks) {
      const id = l.places.bands[placed.of[s.index]?.band]?.id;
      if (id !== s.taskManager) found.push(`task ${c.chain.index}.${s.index} is at ${id}, not at ${s.taskManager}`);
      if (!c.rows.of[s.index]) found.push(`task ${c.chain.index}.${s.index} has no row`);
    }
  }
  return found;
}
