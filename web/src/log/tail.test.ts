import { test, equal } from "../testing";
import { after, before, chunk, linesOf, startOf, type Tail } from "./tail";

const texts = (tail: Tail) => linesOf(tail).map((line) => line.text);

test("a large file begins near its end", () => {
  equal(startOf(chunk - 1), 0);
  equal(startOf(10 * chunk), 9 * chunk);
});

test("half a line waits for its other half", () => {
  let tail: Tail = { from: 6, end: 13, text: "ne\ntwo\n", first: 0 };
  equal(texts(tail), ["two"]);
  tail = after(tail, 16, "thr");
  equal(texts(tail), ["two", "thr"]);
  tail = after(tail, 19, "ee\n");
  equal(texts(tail), ["two", "three"]);
  tail = before(tail, 0, "zero\no");
  equal(texts(tail), ["zero", "one", "two", "three"]);
  equal([tail.from, tail.end], [0, 19]);
});

test("a line keeps its number when older ones come", () => {
  const tail: Tail = { from: 9, end: 13, text: "e\ntwo\nthree", first: 0 };
  const numbered = (t: Tail) => linesOf(t).find((line) => line.text === "two")?.number;
  equal(numbered(before(tail, 0, "a\nb\non")), numbered(tail));
});

test("empty lines are lines", () => {
  equal(texts({ from: 0, end: 3, text: "\n\na", first: 0 }), ["", "", "a"]);
  equal(texts({ from: 0, end: 0, text: "", first: 0 }), []);
});
