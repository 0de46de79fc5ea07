import { h } from "preact";
import { keep } from "./pure";
import { equal, test } from "./testing";

const cell = (text: string, tone = "plain") => h("td", { class: "number" }, h("b", { title: tone }, text), [" of ", 2]);

test("what looks the same stays the same object", () => {
  const old = cell("1");
  equal(keep(old, cell("1")) === old, true);
});

test("another text, property, element, or one more of them is something else", () => {
  const old = cell("1");
  for (const now of [cell("2"), cell("1", "hot"), h("th", old.props), h("td", { ...old.props, title: "t" }), h("td", { class: "number" })]) {
    equal(keep(old, now) === now, true);
  }
  equal(keep(undefined, old) === old, true);
});
