import type { ProcessFigures, TaskManagerRow } from "../api";
import { test, equal } from "../testing";
import { runsOf, short, useOf, workersOf } from "./workers";

const figures = (pid: number, rss: number, cpu: number): ProcessFigures => ({ pid, rss, cpu, limit: 0, goHeap: 0, goroutines: 0 });

function manager(slots: NonNullable<TaskManagerRow["flott"]>["slots"]): TaskManagerRow {
  const nothing = { cpuCores: 0, taskHeapMemory: 0 };
  return {
    id: "tm", path: "", dataPort: 0, timeSinceLastHeartbeat: 0, slotsNumber: slots.length, freeSlots: 0, assignedTasks: 0,
    totalResource: nothing, freeResource: nothing,
    hardware: { cpuCores: 4, physicalMemory: 0, freeMemory: 0 },
    memoryConfiguration: { taskHeap: 100, totalProcessMemory: 100 },
    flott: { process: figures(1, 5, 0.5), slots },
  };
}

const busy = manager([
  { slot: 0, job: "a", tasks: 2, worker: figures(7, 40, 1) },
  { slot: 1, job: "a", tasks: 1, worker: figures(7, 40, 1) },
  { slot: 2, tasks: 0 },
  { slot: 3, job: "b", tasks: 0, worker: figures(8, 50, 0) },
]);

test("a worker has all slots of its job, and counts once", () => {
  equal(workersOf(busy).map((w) => [w.figures.pid, w.job, w.slots, w.tasks]), [[7, "a", [0, 1], 3], [8, "b", [3], 0]]);
  equal(useOf(busy), { memory: 90, limit: 100, cpu: 1.5, cores: 4 });
});

test("an embedded job runs in the TaskManager's process, which counts once", () => {
  equal(useOf(manager([{ slot: 0, job: "a", tasks: 1, worker: figures(1, 5, 0.5) }])).cpu, 0.5);
});

test("neighbouring slots of a job, or of nobody, are one run", () => {
  equal(runsOf(busy), [{ first: 0, last: 1, job: "a" }, { first: 2, last: 2 }, { first: 3, last: 3, job: "b" }]);
  equal(runsOf(manager([{ slot: 0, tasks: 0 }, { slot: 1, tasks: 0 }])), [{ first: 0, last: 1 }]);
});

test("memory is short near its limit, if there is one", () => {
  equal([short(useOf(busy)), short({ ...useOf(busy), limit: 0 }), short({ ...useOf(busy), memory: 88 })], [true, false, false]);
});
