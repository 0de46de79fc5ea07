import type { ClusterEvent } from "../api";
import { equal, test } from "../testing";
import { fold } from "./fold";

const minute = 60_000;
const event = (minutes: number, kind: string, job?: string, taskManager?: string) => ({ at: minutes * minute, kind, job, taskManager }) as ClusterEvent;

test("what tells the same, each soon after the last, whatever happens between", () => {
  const events = [
    event(30, "restarted", "a"),
    event(29, "started", "a"),
    event(28, "restarted", "b"),
    event(27, "restarted", "a"),
    event(23, "restarted", "a"),
    event(22, "started", "a"),
    event(4, "restarted", "a"),
    event(2, "joined", undefined, "y"),
    event(1, "joined", undefined, "x"),
  ];
  equal(fold(events).map((f) => [f.event.at / minute, f.times]), [[30, 3], [29, 1], [28, 1], [22, 1], [4, 1], [2, 1], [1, 1]]);
});
test("nothing", () => equal(fold([]), []));
