// This comes before the first paint, so that a dark page does not flash white.

import { apply, chosen } from "./shell/theme";

apply(chosen());
