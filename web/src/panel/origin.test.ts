import { test, equal } from "../testing";
import { originOf, shortName } from "./origin";

test("functions belong to the job, to flott or to Go", () => {
  equal(originOf("main.main.func1"), "user");
  equal(originOf("fraud/rules.(*Rule).Match"), "user");
  equal(originOf("github.com/someone/lib.Do"), "user");
  equal(originOf("time.example.org/clock.Now"), "user");
  equal(originOf("github.com/flott-dev/flott.(*Job).Wait"), "flott");
  equal(originOf("github.com/flott-dev/flott/internal/data/task.(*Task).Run"), "flott");
  equal(originOf("github.com/flott-dev/flottery.Draw"), "user");
  equal(originOf("google.golang.org/grpc/internal/transport.(*http2Client).reader"), "flott");
  equal(originOf("runtime.gopark"), "go");
  equal(originOf("runtime/pprof.Do"), "go");
  equal(originOf("_.goready.func1"), "go");
  equal(originOf("net/http.(*Server).Serve"), "go");
  equal(originOf("slices.SortFunc[github.com/x/y.T]"), "go");
});

test("short names lose the path, also of generic functions", () => {
  equal(shortName("github.com/flott-dev/flott/internal/data/task.(*Task).Run"), "task.(*Task).Run");
  equal(shortName("github.com/a/b/c.Do[go.shape.string,github.com/x/y.T]"), "c.Do[…]");
  equal(shortName("a/b.(*gate[go.shape.struct { F a/b.T[int] }]).Read"), "b.(*gate[…]).Read");
  equal(shortName("main.main"), "main.main");
});
