import type { TaskState } from "../api";
import type { Columns, JobLive } from "../frames";
import { equal, test } from "../testing";
import { layoutModel } from "./sample";
import { Numbers, width } from "./numbers";

const columns = (busy: number[], bp: number[]): Columns =>
  ({ busy, bp, idle: [], in: [7, 9], out: [3, 4], bytes: [], state: busy.map(() => "RUNNING"), watermark: [] }) as Columns;

const { model, a, b } = layoutModel();

const numbers = (of: Record<string, Columns>, edges: [number, number][]): Numbers => {
  const live: JobLive = { vertices: new Map(Object.entries(of)), edges: new Map(edges) };
  return new Numbers(model, live);
};

test("the busiest subtask stands for its chain", () => {
  const n = numbers({ a: columns([100, 900], [0, 50]) }, []);
  equal(n.busiest(a), { subtask: 1, busy: 900, bp: 50 });
  equal(n.busiest(b) ?? null, null);
});

test("an operator takes what the edges to it carry, a source has what it makes", () => {
  const n = numbers({}, [[1, 10], [2, 30]]);
  equal([n.flow(a.operators[0]), n.flow(a.operators[1]), n.flow(b.operators[0])], [10, 10, 30]);
});

test("an edge is pressed if its sender waits because its receiver is busy", () => {
  const [, cut] = model.edges;
  equal(numbers({ a: columns([0], [900]), b: columns([950], [0]) }, []).pressed(cut), true);
  equal(numbers({ a: columns([0], [900]), b: columns([100], [0]) }, []).pressed(cut), false);
  equal(numbers({ a: columns([0], [100]), b: columns([950], [0]) }, []).pressed(cut), false);
});

test("several subtasks show the worst of them", () => {
  equal(numbers({ a: columns([100, 900, 200], [0, 0, 750]) }, []).worst(a, [0, 1, 2]), { busy: 200, bp: 750 });
});

test("a chain has the state that all of its subtasks have, or that one failed", () => {
  const three = { ...a, parallelism: 3 };
  const state = (...state: TaskState[]) => numbers({ a: { ...columns([], []), state } }, []).overall(three) ?? null;
  equal(state("RUNNING", "RUNNING", "RUNNING"), "RUNNING");
  equal(state("RUNNING", "FINISHED", "RUNNING"), null);
  equal(state("CANCELED", "FAILED", "CANCELED"), "FAILED");
});

test("lines are wider for more records", () => {
  equal([width(undefined), width(0), width(100), width(1e9)], [1, 1, 1.9, 9]);
});
