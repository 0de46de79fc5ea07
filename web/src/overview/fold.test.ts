import type { ClusterEvent } from "../api";
import { equal, test } from "../testing";
import { fold } from "./fold";

const event = (seq: number, kind: string, job?: string, taskManager?: string) => ({ seq, kind, job, taskManager }) as ClusterEvent;

test("neighbours that tell the same", () => {
  const events = [
    event(7, "restarted", "a"),
    event(6, "restarted", "a"),
    event(5, "restarted", "b"),
    event(4, "failed", "b"),
    event(3, "restarted", "a"),
    event(2, "joined", undefined, "y"),
    event(1, "joined", undefined, "x"),
  ];
  equal(fold(events).map((f) => [f.event.seq, f.times]), [[7, 2], [5, 1], [4, 1], [3, 1], [2, 1], [1, 1]]);
});
test("nothing", () => equal(fold([]), []));
