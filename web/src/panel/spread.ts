/** How a number is spread over the subtasks of a vertex; unknown values do not count. */
export interface Spread {
  max: number;
  mean: number;
  total: number;
  /** The subtask that takes far more than its share; null: none does. */
  outlier: number | null;
}

/** From this many times the average on, the busiest subtask is an outlier: the rule of the diagnosis. */
const far = 1.5;

export function spreadOf(values: readonly (number | null | undefined)[]): Spread {
  let max = 0;
  let total = 0;
  let known = 0;
  let at = -1;
  values.forEach((v, i) => {
    if (v == null) return;
    known++;
    total += v;
    if (at < 0 || v > max) [max, at] = [v, i];
  });
  const mean = known ? total / known : 0;
  return { max, mean, total, outlier: known > 1 && mean > 0 && max >= far * mean ? at : null };
}

/** quantile of sorted numbers, by the nearest rank. */
export function quantile(sorted: readonly number[], q: number): number | null {
  if (!sorted.length) return null;
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? null;
}
