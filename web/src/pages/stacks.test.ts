import { test, equal } from "../testing";
import { groupsOf, matching, parseDump } from "./stacks";

const text = `worker tm-1/4711

goroutine 1 [select, 3 minutes]:
github.com/flott-dev/flott.(*Job).Wait(0x2e4a51bc7880, {0x178cb70, 0x2e4a51c42450})
	/src/job.go:88 +0x71
main.main()
	/src/main.go:12 +0x6d7

goroutine 7 [chan receive]:
runtime.gopark(...)
	/go/src/runtime/proc.go:474
github.com/flott-dev/flott/internal/data/task.(*Task).idle(0x1)
	/src/task.go:168 +0x45
created by github.com/flott-dev/flott/internal/control/watch.Go in goroutine 1
	/src/watch.go:31 +0x20

goroutine 9 gp=0xc000 m=0 [chan receive, 12 minutes, locked to thread]:
runtime.gopark(...)
	/go/src/runtime/proc.go:474
github.com/flott-dev/flott/internal/data/task.(*Task).idle(0x2)
	/src/task.go:168 +0x45

worker tm-2/12

connection refused
`;

test("a dump is goroutines with their frames, and workers that did not answer", () => {
  const { goroutines, failures } = parseDump(text);
  equal(goroutines.map((g) => [g.worker, g.id, g.state, g.minutes]), [
    ["tm-1/4711", 1, "select", 3],
    ["tm-1/4711", 7, "chan receive", 0],
    ["tm-1/4711", 9, "chan receive", 12],
  ]);
  equal(goroutines[0]!.frames, [
    { function: "github.com/flott-dev/flott.(*Job).Wait", file: "/src/job.go", line: 88, origin: "flott" },
    { function: "main.main", file: "/src/main.go", line: 12, origin: "user" },
  ]);
  equal(goroutines[1]!.createdBy?.function, "github.com/flott-dev/flott/internal/control/watch.Go");
  equal(failures, [{ worker: "tm-2/12", text: "connection refused" }]);
});

test("equal stacks are one group; those in the job's code come first", () => {
  const groups = groupsOf(parseDump(text).goroutines);
  equal(groups.map((g) => [g.title?.function, g.goroutines.length, g.minutes]), [
    ["main.main", 1, 3],
    ["github.com/flott-dev/flott/internal/data/task.(*Task).idle", 2, 12],
  ]);
});

test("a filter finds all its words, anywhere in the stack", () => {
  const groups = groupsOf(parseDump(text).goroutines);
  const found = (words: string) => matching(groups, words).map((g) => g.goroutines.length);
  equal(found(""), [1, 2]);
  equal(found("CHAN idle"), [2]);
  equal(found("task.go:168"), [2]);
  equal(found("idle main"), []);
});

test("nothing is no dump", () => {
  equal(parseDump(""), { goroutines: [], failures: [] });
});

test("the program flott is not the user's", () => {
  const one = parseDump("goroutine 1 [select]:\nmain.run(0x1)\n\t/src/flott/cmd/flott/run.go:8 +0x1\nmain.main()\n\t/src/job/main.go:9 +0x1\n");
  equal(one.goroutines[0]!.frames.map((f) => f.origin), ["flott", "user"]);
});
