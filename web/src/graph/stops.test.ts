import { equal, test } from "../testing";
import { next, type Stop } from "./stops";

const stop = (key: string, column: number, y: number): Stop => ({ key, column, box: { x: 0, y, w: 10, h: 10 } });

const stops = [stop("a", 0, 0), stop("b", 0, 50), stop("c", 1, 0), stop("d", 1, 60)];

const keys = (from: string, ...ways: Parameters<typeof next>[2][]) => ways.map((way) => next(stops, from, way)?.key ?? null);

test("right and left lead to what is nearest", () => {
  equal(keys("b", "ArrowRight", "ArrowLeft"), ["d", null]);
  equal(keys("c", "ArrowLeft", "ArrowRight"), ["a", null]);
});

test("up and down stay in the column", () => {
  equal(keys("b", "ArrowUp", "ArrowDown"), ["a", null]);
  equal(keys("c", "ArrowUp", "ArrowDown"), [null, "d"]);
});

test("from nowhere, all lead to the first", () => equal(next(stops, undefined, "ArrowUp")?.key, "a"));
