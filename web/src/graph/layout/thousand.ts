import { faults } from "./check";
import { layout } from "./layout";
import { random, randomModel } from "./random";
import type { Model } from "../model";

/** jobOf is the random job of a seed. */
export function jobOf(seed: number): Model {
  const r = random(seed);
  return randomModel(r, 1 + r(14));
}

/** check lays out the jobs of some seeds, and fails at the first that is wrong. */
export function check(first: number, last: number): void {
  for (let seed = first; seed <= last; seed++) {
    const found = faults(layout(jobOf(seed)));
    if (found.length > 0) throw new Error(`job ${seed}: ${found.slice(0, 3).join("; ")}`);
  }
}

/** times is how many milliseconds a layout of so many chains takes, each time that it is made. */
export function times(chains: number, runs: number): number[] {
  const model = randomModel(random(5), chains);
  return Array.from({ length: runs }, () => {
    const start = performance.now();
    layout(model);
    return performance.now() - start;
  });
}
