import { equal, test } from "../testing";
import type { Columns } from "../frames";
import { rateIn, running, skew, watermark } from "./figures";

const columns = (some: Partial<Columns>): Columns => ({ busy: [], bp: [], idle: [], in: [], out: [], bytes: [], state: [], watermark: [], ...some });

test("rates add up", () => equal(rateIn(columns({ in: [1, 2, 3] })), 6));

test("what is not known stays unknown", () => equal([rateIn(undefined), watermark(columns({ watermark: [null] })), skew(columns({}))], [undefined, undefined, undefined]));

test("the least watermark holds", () => equal(watermark(columns({ watermark: [30, null, 10] })), 10));

test("skew is of the average", () => equal(skew(columns({ in: [3, 1, 2] })), 1.5));

test("skew of a source is of what it makes", () => equal(skew(columns({ in: [0, 0], out: [3, 1] })), 1.5));

test("one subtask has no skew", () => equal(skew(columns({ in: [3] })), undefined));

test("tasks that run", () => equal(running(columns({ state: ["RUNNING", "FINISHED", "RUNNING"] })), 2));
