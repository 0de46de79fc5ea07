import type { Graphs, JobNow, Overview, VertexChange, VertexColumns } from "./api";
import { columnsOf, mergeCluster, mergeFrame, mergeJobs, nothing } from "./frames";
import { equal, test } from "./testing";

function columns(busy: number[], subtasks?: number[]): VertexColumns & VertexChange {
  const of = <T>(value: T): T[] => busy.map(() => value);
  return { subtasks, busy, bp: of(0), idle: of(0), in: of(1), out: of(2), bytes: of(3), state: of("RUNNING"), watermark: of(null) };
}

test("what did not change stays the same object", () => {
  const first = mergeFrame(nothing, { now: 1, seq: 1, vertices: { a: columns([1, 2]), b: columns([3]) }, edges: { 4: 10 } });
  const second = mergeFrame(first, { now: 2, seq: 2, vertices: { a: columns([5, 6]) }, edges: { 5: 20 } });
  equal(second.vertices.get("a")?.busy, [5, 6]);
  equal(second.vertices.get("b") === first.vertices.get("b"), true);
  equal([...second.edges], [[4, 10], [5, 20]]);
  equal([...first.edges], [[4, 10]]);
});

test("nothing changed", () => {
  equal(mergeFrame(nothing, { now: 1, seq: 1 }) === nothing, true);
});

test("some subtasks", () => {
  const first = mergeFrame(nothing, { now: 1, seq: 1, vertices: { a: columns([1, 2, 3, 4]) } });
  const second = mergeFrame(first, { now: 2, seq: 2, vertices: { a: columns([20, 40], [1, 3]) } });
  equal(second.vertices.get("a")?.busy, [1, 20, 3, 40]);
  equal(first.vertices.get("a")?.busy, [1, 2, 3, 4]);
});

test("some columns", () => {
  const first = mergeFrame(nothing, { now: 1, seq: 1, vertices: { a: columns([1, 2, 3]) } });
  const second = mergeFrame(first, { now: 2, seq: 2, vertices: { a: { bp: [4, 5, 6] } } });
  const third = mergeFrame(second, { now: 3, seq: 3, vertices: { a: { subtasks: [2], watermark: [9] } } });
  equal(third.vertices.get("a"), { ...columns([1, 2, 3]), bp: [4, 5, 6], watermark: [null, null, 9] });
});

test("subtasks of which nothing was known", () => {
  const live = mergeFrame(nothing, { now: 1, seq: 1, vertices: { a: columns([7, 8], [0, 1]) } });
  equal(live.vertices.get("a")?.busy, [7, 8]);
});

test("jobs", () => {
  const job = (jid: string, recordsPerSecond: number) => ({ jid, recordsPerSecond }) as JobNow;
  const first = mergeJobs(new Map(), [job("a", 1), job("b", 2)]);
  const second = mergeJobs(first, [job("b", 3)]);
  equal([...second.values()].map((j) => j.recordsPerSecond), [1, 3]);
  equal(mergeJobs(second, []) === second, true);
});

test("what happened", () => {
  const with_ = (...seqs: number[]) => ({ taskmanagers: seqs.length, flott: { events: seqs.map((seq) => ({ seq })) } }) as unknown as Overview;
  const seqs = (o: Overview) => o.flott.events.map((e) => e.seq);
  const first = mergeCluster(undefined, with_(3, 2, 1));
  const second = mergeCluster(first, with_(5, 4, 3));
  equal(seqs(second), [5, 4, 3, 2, 1]);
  equal(seqs(mergeCluster(second, with_())), [5, 4, 3, 2, 1]);
  equal(second.taskmanagers, 3);
  const many = mergeCluster(second, with_(...Array.from({ length: 200 }, (_, i) => 300 - i)));
  equal([seqs(many).length, seqs(many)[0]], [100, 300]);
});

test("polled", () => {
  const before = mergeFrame(nothing, { now: 1, seq: 1, vertices: { a: { ...columns([1]), watermark: [7] } } });
  const graphs = {
    streamGraph: { nodes: [], edges: [{ source: 4, rate: 10 }, { source: 5 }] },
    executionGraph: { vertices: [{ id: "a", subtasks: [{ busy: 900, backPressured: 50, idle: 50, rate: 12, state: "RUNNING" }] }] },
  } as unknown as Graphs;
  const live = columnsOf(graphs, before);
  equal(live.vertices.get("a"), { busy: [900], bp: [50], idle: [50], in: [12], out: [12], bytes: [3], state: ["RUNNING"], watermark: [7] });
  equal([...live.edges], [[4, 10]]);
});
