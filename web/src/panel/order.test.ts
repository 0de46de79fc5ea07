import { test, equal } from "../testing";
import { inOrder, sortedBy } from "./order";

const columns = [{ title: "In", by: (n: number | null) => n }, { title: "Name" }];

test("rows are sorted both ways, with what is not known last", () => {
  equal(sortedBy([2, null, 3, 1], columns, { title: "In", down: true }), [3, 2, 1, null]);
  equal(sortedBy([2, null, 3, 1], columns, { title: "In", down: false }), [1, 2, 3, null]);
});

test("equal rows keep their order, and nothing to sort by changes nothing", () => {
  const rows = [{ n: 1, at: "a" }, { n: 1, at: "b" }, { n: 2, at: "c" }];
  equal(sortedBy(rows, [{ title: "N", by: (r) => r.n }], { title: "N", down: true }).map((r) => r.at), ["c", "a", "b"]);
  equal(sortedBy([2, 1], columns, { title: "Name", down: true }), [2, 1]);
  equal(sortedBy([2, 1], columns, null), [2, 1]);
});

test("rows keep an order that was found before, and new ones come last", () => {
  equal(inOrder([0, 1, 2, 3], [2, 0, 7], (n) => n), [2, 0, 1, 3]);
});
