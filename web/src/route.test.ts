import { format, parse } from "./route";
import { equal, test } from "./testing";

test("overview", () => {
  for (const hash of ["", "#", "#/"]) equal(parse(hash), { parts: [], query: {} });
});
test("a job's graph", () =>
  equal(parse("#/job/ab/graph?layer=3&vertex=v&subtask=0"), {
    parts: ["job", "ab", "graph"],
    query: { layer: "3", vertex: "v", subtask: "0" },
  }));
test("what is empty is left out", () => equal(format(["job", "ab"], { layer: 0, tab: "", edge: null, vertex: undefined }), "#/job/ab?layer=0"));
test("there and back", () => {
  const parts = ["task-manager", "host:1/a b", "100%"];
  const query = { edge: "1_2&3=4?", q: "ü" };
  equal(parse(format(parts, query)), { parts, query });
});
test("what nobody encoded", () => equal(parse("#/job/100%").parts, ["job", "100%"]));
