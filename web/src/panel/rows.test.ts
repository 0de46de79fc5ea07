import type { Graphs, TaskState, VertexDetails } from "../api";
import { test, equal } from "../testing";
import { filtered, rowsOf, statesOf, sum } from "./rows";

const subtask = (index: number, state: TaskState, host: string) => ({
  index, state, host, attempt: 1, busy: 10, backPressured: 0, idle: 990, rate: 5, taskManager: "tm-" + host, slot: 0, endpoint: "", pid: 7,
});

const graphs = {
  executionGraph: { vertices: [{ id: "v", subtasks: [subtask(0, "RUNNING", "a"), subtask(1, "RUNNING", "b"), subtask(2, "FINISHED", "b")] }] },
} as unknown as Graphs;

const columns = {
  busy: [500, 600, 700], bp: [1, 2, 3], idle: [499, 398, 297], in: [7, 8, 9], out: [1, 1, 1], bytes: [2, 2, 2],
  state: ["RUNNING", "FAILED", "FINISHED"] as TaskState[], watermark: [90, null, 95],
};

test("frames are newer than answers", () => {
  const rows = rowsOf(graphs, "v", columns, undefined, 100);
  equal(rows.map((r) => [r.subtask, r.state, r.load?.busy, r.in, r.mark]), [
    [0, "RUNNING", 500, 7, { at: 90, behind: 10 }],
    [1, "FAILED", undefined, undefined, "none"],
    [2, "FINISHED", undefined, undefined, { at: 95, behind: 5 }],
  ]);
});

test("without frames there is what was asked for", () => {
  const details = { subtasks: [{ status: "RUNNING", attempt: 4, flott: { busy: 20, idle: 980, backPressured: 0, recordsInPerSecond: 3, recordsOutPerSecond: 2, watermark: null, slot: 5 } }] };
  const rows = rowsOf(graphs, "v", undefined, details as unknown as VertexDetails, 100);
  equal([rows[0]!.attempt, rows[0]!.slot, rows[0]!.load?.busy, rows[0]!.out], [4, 5, 20, 2]);
  equal([rows[1]!.attempt, rows[1]!.load?.busy, rows[1]!.in], [1, 10, undefined]);
  equal(rowsOf(graphs, "other", undefined, undefined, 100), []);
});

test("what has ended does not fall behind any more", () => {
  const details = { subtasks: [{}, {}, { status: "FINISHED", "end-time": 97 }] } as unknown as VertexDetails;
  equal(rowsOf(graphs, "v", columns, details, 1000)[2]!.mark, { at: 95, behind: 2 });
});

test("a filter is a number, or a part of a state or a place", () => {
  const rows = rowsOf(graphs, "v", columns, undefined, 100);
  const found = (text: string) => filtered(rows, text).map((r) => r.subtask);
  equal(found(" "), [0, 1, 2]);
  equal(found("2"), [2]);
  equal(found("fin"), [2]);
  equal(found("tm-b"), [1, 2]);
});

test("states are counted in the order of life", () => {
  equal(statesOf(rowsOf(graphs, "v", columns, undefined, 100)), [["RUNNING", 1], ["FINISHED", 1], ["FAILED", 1]]);
});

test("a sum of nothing is not known", () => {
  equal(sum([undefined, 2, 3]), 5);
  equal(sum([undefined]), undefined);
});
