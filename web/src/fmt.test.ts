import * as fmt from "./fmt";
import { equal, test } from "./testing";

/** each checks a function against pairs of what goes in and, with plain spaces, what comes out. */
function each<T>(name: string, f: (value: T) => string, cases: [T, string][]): void {
  test(name, () => equal(cases.map(([value]) => f(value).replace(/\u00a0/g, " ")), cases.map(([, want]) => want)));
}

type Cases = [number | null | undefined, string][];

each("count", fmt.count, [
  [null, "–"], [undefined, "–"], [NaN, "–"], [0, "0"], [0.254, "0.25"], [9.5, "9.5"], [42.4, "42"], [999, "999"], [1234, "1 234"],
  [9999, "9 999"], [12345, "12.3 k"], [999_499, "999 k"], [999_600, "1 M"], [1_910_000, "1.91 M"], [2.5e9, "2.5 G"], [-1234, "-1 234"],
] as Cases);
each("rate", fmt.rate, [[null, "–"], [0, "0/s"], [245_000, "245 k/s"]] as Cases);
each("bytes", fmt.bytes, [[0, "0 B"], [999, "999 B"], [1000, "1 kB"], [999_700, "1 MB"], [1_550_000, "1.55 MB"]] as Cases);
each("memory", fmt.memory, [[1023, "1023 B"], [1024, "1 KiB"], [64 * 2 ** 20, "64 MiB"], [1.5 * 2 ** 30, "1.5 GiB"]] as Cases);
each("percent", fmt.percent, [[0, "0 %"], [0.001, "<1 %"], [0.006, "1 %"], [0.334, "33 %"], [1, "100 %"], [null, "–"]] as Cases);
each("duration", fmt.duration, [
  [null, "–"], [-1, "–"], [0, "0 ms"], [1.25, "1.25 ms"], [640, "640 ms"], [999, "999 ms"], [2100, "2.1 s"], [59_990, "59.9 s"],
  [60_000, "1 min"], [252_000, "4 min 12 s"], [3_600_000, "1 h"], [68_820_000, "19 h 7 min"], [277_200_000, "3 d 5 h"],
] as Cases);
each("age", fmt.age, [[-1, "–"], [640, "0 s"], [31_540, "31 s"], [252_900, "4 min 12 s"]] as Cases);
each("ago", fmt.ago, [[31_700, "31 s ago"], [-5, "just now"], [null, "–"]] as Cases);
each("cores", fmt.cores, [[0, "0"], [0.0012, "<0.01"], [0.0449, "0.04"], [1.5, "1.5"], [12.34, "12"], [null, "–"]] as Cases);
each("clock", fmt.clock, [[0, "–"], [-1, "–"], [1795997560123, "00:12:40"]] as Cases);
each("moment", fmt.moment, [[1795997560123, "2026-11-30 00:12:40 UTC"]] as Cases);

test("plural", () => equal([fmt.plural(1, "job"), fmt.plural(2, "job")], ["1\u00a0job", "2\u00a0jobs"]));
test("sentence", () => equal([fmt.sentence(""), fmt.sentence("it waits")], ["", "It waits"]));
