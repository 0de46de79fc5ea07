import { test, equal } from "../testing";
import type { Flame } from "../api";
import { barsOf, fold, functionsOf, hottest, pathTo, sameWay, shareMatching, stepFrom } from "./flame";

const f = (name: string, value: number, ...children: Flame[]): Flame => ({ name, value, children });
const sqrt = f("math.Sqrt:9", 30);
const score = f("main.score:12", 60, sqrt);
const park = f("runtime.gopark:474", 20);
const task = f("github.com/flott-dev/flott/internal/data/task.(*Task).Run:78", 100, score, park);
const root = f("root", 100, task);

const seen = (focus?: Flame) => barsOf(root, focus).map((b) => [b.label, b.depth, b.x, b.width]);

test("bars are as wide as their share, below who calls them", () => {
  equal(seen(), [
    ["all samples", 0, 0, 1],
    ["task.(*Task).Run", 1, 0, 1],
    ["main.score", 2, 0, 0.6],
    ["runtime.gopark", 2, 0.6, 0.2],
    ["math.Sqrt", 3, 0, 0.3],
  ]);
  equal(barsOf(root).map((b) => b.origin), ["flott", "flott", "user", "go", "go"]);
});

test("zoomed, the way to the focus has the whole width and the rest is gone", () => {
  equal(seen(score), [
    ["all samples", 0, 0, 1],
    ["task.(*Task).Run", 1, 0, 1],
    ["main.score", 2, 0, 1],
    ["math.Sqrt", 3, 0, 0.5],
  ]);
});

test("bars that nobody could see are left out", () => {
  equal(barsOf(f("root", 10000, f("main.a:1", 1), f("main.b:1", 9999))).length, 2);
  equal(barsOf(f("root", 0)).length, 1);
});

test("arrow keys go along the bars and stay at the ends", () => {
  const bars = barsOf(root);
  const at = (label: string) => bars.find((b) => b.label === label)!;
  equal(stepFrom(bars, at("task.(*Task).Run"), "down").label, "main.score");
  equal(stepFrom(bars, at("main.score"), "right").label, "runtime.gopark");
  equal(stepFrom(bars, at("runtime.gopark"), "right").label, "runtime.gopark");
  equal(stepFrom(bars, at("runtime.gopark"), "left").label, "main.score");
  equal(stepFrom(bars, at("main.score"), "up").label, "task.(*Task).Run");
  equal(stepFrom(bars, at("all samples"), "up").label, "all samples");
  equal(stepFrom(bars, at("math.Sqrt"), "down").label, "math.Sqrt");
});

test("a search counts samples once", () => {
  equal(shareMatching(root, "SCORE"), 0.6);
  equal(shareMatching(root, "r"), 1);
  equal(shareMatching(root, " "), 0);
  equal(shareMatching(f("root", 4, f("main.a:1", 2, f("main.a:2", 2))), "main.a"), 0.5);
});

test("newer samples keep the zoom as far as they have the same functions", () => {
  const newer = f("root", 5, f(task.name, 5, f("main.score:12", 5)));
  const names = pathTo(root, sqrt)!.map((x) => x.name);
  equal(sameWay(newer, names).name, "main.score:12");
  equal(sameWay(f("root", 0), names).name, "root");
});

test("the hottest function is one of the job's, counted once where it calls itself", () => {
  equal(hottest(root), { name: "main.score", share: 0.6 });
  equal(hottest(f("root", 4, f("main.a:1", 3, f("main.a:7", 3)), f("main.b:1", 1))), { name: "main.a", share: 0.75 });
  equal(hottest(f("root", 4, f("main.outer:1", 4, f("main.inner:7", 4)))), { name: "main.inner", share: 1 });
  equal(hottest(f("root", 4, f("runtime.gopark:1", 4))), null);
});

test("functions have their own samples and all that they are in", () => {
  const recursive = f("root", 6, f("operator count", 6, f("main.a:3", 6, f("main.a:9", 4, f("main.b:1", 3)))));
  equal(functionsOf(recursive), [
    { name: "main.a", own: 3, total: 6 },
    { name: "main.b", own: 3, total: 3 },
  ]);
});

test("runs of the engine's frames are one bar, the job's frames are never taken together", () => {
  const flott = (name: string) => "github.com/flott-dev/flott/internal/data/" + name;
  const waits = f("runtime.chanrecv1:5", 40, f("runtime.gopark:4", 40));
  const works = f("main.a:1", 60, f("main.b:2", 60));
  const root = f("root", 100, f(flott("task.Run:1"), 100, f("runtime/pprof.Do:5", 100, f(flott("task.loop:2"), 100, works, f(flott("task.idle:3"), 40, waits)))));
  const seen = (x: ReturnType<typeof fold>): unknown[] => [x.name.replace(/.*\//, ""), x.more, ...x.children.map(seen)];
  equal(seen(fold(root)), [
    "root", 0, [
      "task.loop:2", 2,
      ["main.a:1", 0, ["main.b:2", 0]],
      ["task.idle:3", 0, ["runtime.chanrecv1:5", 1]],
    ],
  ]);
  equal(barsOf(fold(root))[1]!.label, "task.loop +2");
});
