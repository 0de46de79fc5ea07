import { equal, test } from "../../testing";
import { settle, within } from "./settle";

const things = (...want: number[]) => want.map((w) => ({ want: w, size: 10, weight: 1 }));

test("what has room stays where it wants to be", () => equal(settle(things(0, 20, 50), () => 5), [0, 20, 50]));

test("what collides shares the way", () => equal(settle(things(0, 0), () => 0), [-5, 5]));

test("a heavy thing moves less", () => {
  equal(settle([{ want: 0, size: 10, weight: 9 }, { want: 0, size: 10, weight: 1 }], () => 0), [-1, 9]);
});

test("a pool pushes on what it meets", () => equal(settle(things(0, 0, 12), () => 0), [-6, 4, 14]));

test("all of it stays between two edges", () => {
  equal(within([-20, -10, 40], things(0, 0, 0), 0, 0, 40), [0, 10, 30]);
});
