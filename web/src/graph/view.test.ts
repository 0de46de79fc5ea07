import { equal, test } from "../testing";
import { fit, reveal, zoom } from "./view";

const window = { w: 1000, h: 592 };

test("all of it is in the middle", () => {
  equal(fit({ x: 0, y: 0, w: 928, h: 100 }, window, null, 0.5), { k: 1, x: 36, y: 240 });
});

test("what is too large to read is shown in part: what matters", () => {
  const v = fit({ x: 0, y: 0, w: 10_000, h: 100 }, window, { x: 5000, y: 0, w: 100, h: 100 }, 0.5);
  equal([v.k, v.x], [0.5, 500 - 5050 * 0.5]);
});

test("no side is left empty", () => {
  const v = fit({ x: 0, y: 0, w: 10_000, h: 100 }, window, { x: 0, y: 0, w: 100, h: 100 }, 0.5);
  equal(v.x, 36);
});

test("what is pointed at stays where it is", () => {
  const v = zoom({ x: 10, y: 20, k: 1 }, 2, { x: 110, y: 220 });
  equal(v, { k: 2, x: -90, y: -180 });
});

test("what is seen does not move", () => {
  const v = { k: 1, x: 100, y: 100 };
  equal(reveal(v, { x: 0, y: 0, w: 50, h: 50 }, window), v);
  equal(reveal(v, { x: 2000, y: 0, w: 50, h: 50 }, window).x, 984 - 2050);
});
