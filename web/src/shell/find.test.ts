import { equal, test } from "../testing";
import { find, type Target } from "./find";

const titled = (title: string): Target => ({ title, kind: "page", run: () => {} });
const targets = ["Overview", "orders", "orders: exceptions", "TaskManagers", "big orders"].map(titled);
const found = (text: string) => find(targets, text).map((t) => t.title);

test("nothing typed: everything, in order", () => equal(found("  "), targets.map((t) => t.title)));
test("what starts with it comes first", () => equal(found("ord"), ["orders", "orders: exceptions", "big orders"]));
test("all words, in any order", () => equal(found("EXC ord"), ["orders: exceptions"]));
test("nothing found", () => equal(found("zzz"), []));
