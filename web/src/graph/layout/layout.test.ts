import { equal, test } from "../../testing";
import type { Model } from "../model";
import { faults } from "./check";
import { layout, type Layout } from "./layout";
import { random, randomModel } from "./random";
import { middle, right } from "./sizes";
import { check } from "./thousand";

// Here are a few small random jobs only: without a browser JavaScript is slow. thousand.ts has the thousand, for a browser.

const small = (seed: number): Model => randomModel(random(seed), 3 + seed);

const some = (seed: number): Layout => layout(small(seed));

test("random jobs: nothing overlaps, no line is over a foreign box, all is in the picture, x, hue and letter are kept", () => check(1, 4, small));

test("a job looks the same each time", () => {
  for (let seed = 1; seed <= 2; seed++) equal(places(some(seed)), places(some(seed)));
});

const places = (l: Layout): unknown => [l.chains.map((c) => c.box), l.edges.map((e) => [e.stream, e.job, e.labels]), l.places.heads];

test("an empty job is an empty picture", () => {
  const l = layout({ chains: [], operators: new Map(), edges: [], managers: [] });
  equal([l.chains, l.bounds.boxes, faults(l)], [[], { x: 0, y: 0, w: 0, h: 0 }, []]);
});

// What the test of random jobs would say of a layout that is wrong.

const wrongs: Record<string, { wrong: (l: Layout) => void; says: RegExp }> = {
  "a box that is moved onto another": {
    wrong: (l) => {
      const column = l.columns.find((c) => c.length > 1)!;
      l.chains[column[0].index].box.y = l.chains[column[1].index].box.y;
    },
    says: /box \d+ overlaps box \d+/,
  },
  "an edge that goes straight through a column": {
    wrong: (l) => {
      const p = l.edges.find((e) => e.lanes.length > 0)!;
      const over = l.chains.find((c) => c.column === p.lanes[0].column)!;
      p.stream = `M0 0L${over.box.x + 116} ${over.box.y + 60}`;
    },
    says: /edge e\d+ crosses/,
  },
  "channels that pass a column where a box is": {
    wrong: (l) => {
      const p = l.edges.find((e) => e.lanes.length > 0)!;
      const over = l.chains.find((c) => c.column === p.lanes[0].column)!;
      p.lanes[0].y = over.rows.all[0].box.y + over.rows.all[0].box.h / 2;
    },
    says: /(channel|ribbon) e\d+ crosses/,
  },
  "a box in the way of one row's channels only": {
    wrong: (l) => {
      const from = l.edges[0].edge.from.chain;
      const row = l.chains[from.index].rows.all[from.parallelism - 2].box;
      const other = l.chains.find((c) => l.edges.every((e) => e.edge.from.chain !== from || e.edge.to.chain !== c.chain) && c.chain !== from)!;
      other.box = { x: right(row) + 2, y: middle(row) - 1, w: 4, h: 2 };
    },
    says: /channel e\d+ crosses box/,
  },
  "a label on another one": {
    wrong: (l) => {
      const [a, b] = l.edges.filter((e) => e.labels.rows);
      a.labels.rows = b.labels.rows;
    },
    says: /label e\d+ overlaps label e\d+/,
  },
  "a task of another hue": {
    wrong: (l) => {
      l.places.marks[0].all[0].chain = l.chains[1].chain;
    },
    says: /box 0 is A.* and B/,
  },
  "a letter that two boxes have": {
    wrong: (l) => {
      l.chains[0].chain.key = 1;
    },
    says: /two boxes are B/,
  },
  "a task that moves aside": {
    wrong: (l) => {
      l.places.marks[0].all[0].box.x += 4;
    },
    says: /moves aside/,
  },
  "a task in the wrong TaskManager": {
    wrong: (l) => {
      l.places.marks[0].all[0].band = (l.places.marks[0].all[0].band + 1) % l.places.bands.length;
    },
    says: /leaves its TaskManager|is at/,
  },
  "a picture that is too small": {
    wrong: (l) => {
      l.bounds.boxes.h -= 1;
    },
    says: /is outside/,
  },
};

/** wrongSeed is that of a job with all that these want: an edge that passes a column, rows, boxes below each other. */
const wrongSeed = 70;

for (const [name, { wrong, says }] of Object.entries(wrongs)) {
  test(`the check finds ${name}`, () => {
    const l = layout(randomModel(random(wrongSeed), 8));
    wrong(l);
    const found = faults(l);
    if (!found.some((f) => says.test(f))) throw new Error(`found ${JSON.stringify(found.slice(0, 3))}`);
  });
}
