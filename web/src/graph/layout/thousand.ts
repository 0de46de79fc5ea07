import { faults } from "./check";
import { layout } from "./layout";
import { random, randomModel } from "./random";
import type { Model } from "../model";

/** jobOf is the random job of a seed: small ones more often than large ones. */
export function jobOf(seed: number): Model {
  const r = random(seed);
  return randomModel(r, 1 + r(1 + r(60)), 1 + r(3));
}

/** largeJobOf is that of a seed with so many chains. */
export const largeJobOf = (seed: number, chains: number): Model => randomModel(random(seed), chains);

/** check lays out the jobs of some seeds, and fails at the first that is wrong. */
export function check(first: number, last: number, job = jobOf): void {
  for (let seed = first; seed <= last; seed++) {
    const found = faults(layout(job(seed)));
    if (found.length > 0) throw new Error(`job ${seed}: ${found.slice(0, 3).join("; ")}`);
  }
}

/** times is how many milliseconds the layout of a job takes, each time that it is made. */
export function times(model: Model, runs: number): number[] {
  return Array.from({ length: runs }, () => {
    const start = performance.now();
    layout(model);
    return performance.now() - start;
  });
}
