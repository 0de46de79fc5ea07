import type { Graphs } from "../api";
import { equal, test } from "../testing";
import { aboutOf, layers } from "./layers";
import { layout, type Layout } from "./layout/layout";
import { modelOf } from "./model";

/** job has one vertex, whose subtasks are all at one TaskManager. */
function job(parallelism: number): Layout {
  const subtasks = Array.from({ length: parallelism }, (_, index) => ({ index, taskManager: "tm", slot: index, state: "RUNNING" }));
  return layout(
    modelOf({
      streamGraph: null,
      jobGraph: { vertices: [{ id: "a", key: 0, name: "in", operators: [], parallelism, inputs: [] }] },
      executionGraph: { vertices: [{ id: "a", subtasks }], slots: [] },
    } as unknown as Graphs),
  );
}

test("a row is a subtask, as long as there is room", () => {
  for (const layer of [1, 2, 3, 4, 5]) equal(aboutOf(layer, job(32)), layers[layer - 1].about);
});

test("a row of many says so", () => {
  equal(aboutOf(3, job(2000)), "a row is up to 63 subtasks, the worst of them");
  equal(aboutOf(4, job(2000)), "the same tasks by TaskManager; a row is up to 63 subtasks, the worst of them");
  equal(aboutOf(1, job(2000)), layers[0].about);
});
