// What changes something.

import { change } from "./ask";
import type { Profiling } from "./cluster";
import { at, type ProcessPath } from "./paths";

export const cancelJob = (job: string): Promise<unknown> => change("PATCH", at.cancel(job));

/** startProfile begins a profile that takes some seconds. */
export const startProfile = (of: ProcessPath, mode: Profiling["mode"], seconds: number): Promise<unknown> =>
  change("POST", at.profiles(of), { mode, duration: seconds });
