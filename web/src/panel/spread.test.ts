import { test, equal } from "../testing";
import { quantile, spreadOf } from "./spread";

test("the outlier takes 1.5 times the average", () => {
  equal(spreadOf([10, 10, 10, 30]), { max: 30, mean: 15, total: 60, outlier: 3 });
  equal(spreadOf([10, 11, 12]).outlier, null);
});

test("one subtask, no records and unknown values have no outlier", () => {
  equal(spreadOf([5]).outlier, null);
  equal(spreadOf([0, 0]).outlier, null);
  equal(spreadOf([]), { max: 0, mean: 0, total: 0, outlier: null });
  equal(spreadOf([null, 4, undefined, 4]), { max: 4, mean: 4, total: 8, outlier: null });
});

test("quantiles are values that were measured", () => {
  equal(quantile([1, 2, 3, 4], 0.5), 2);
  equal(quantile([1, 2, 3, 4], 0.99), 4);
  equal(quantile([], 0.5), null);
});
