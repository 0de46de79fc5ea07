import type { TaskState } from "../api";
import { test, equal } from "../testing";
import { barsOf, stepsOf } from "./steps";

const none = { CREATED: 0, SCHEDULED: 0, DEPLOYING: 0, INITIALIZING: 0, RUNNING: 0, FINISHED: 0, CANCELING: 0, CANCELED: 0, FAILED: 0, RECONCILING: 0 };
const of = (timestamps: Partial<Record<TaskState, number>>) => stepsOf({ subtask: 0, endpoint: "", duration: 0, timestamps: { ...none, ...timestamps } });

test("the way of a subtask to running", () => {
  const s = of({ CREATED: 1, SCHEDULED: 2, DEPLOYING: 5, INITIALIZING: 9, RUNNING: 9 });
  equal([s.state, s.from, s.running, s.end], ["RUNNING", 2, 9, undefined]);
  equal(barsOf(s, 100), [
    { state: "SCHEDULED", from: 2, to: 5 },
    { state: "DEPLOYING", from: 5, to: 9 },
    { state: "INITIALIZING", from: 9, to: 9 },
  ]);
});

test("what is under way lasts until now, what failed before it ran until then", () => {
  equal(barsOf(of({ CREATED: 1, SCHEDULED: 2 }), 100), [{ state: "SCHEDULED", from: 2, to: 100 }]);
  const failed = of({ CREATED: 1, SCHEDULED: 2, DEPLOYING: 4, FAILED: 6 });
  equal([failed.state, failed.end], ["FAILED", 6]);
  equal(barsOf(failed, 100)[1], { state: "DEPLOYING", from: 4, to: 6 });
});

test("what is not scheduled has no way", () => {
  const s = of({ CREATED: 1 });
  equal([s.state, s.from, barsOf(s, 100)], ["CREATED", 0, []]);
});
