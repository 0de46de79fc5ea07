// Numbers and times for people: three significant digits, a no-break space before the unit, an en dash for what is not known.

const space = "\u00a0";
export const unknown = "–";

type Maybe = number | null | undefined;

/** significant writes a number from 0 to 999 with three digits at most. */
function significant(n: number): string {
  if (n >= 100) return Math.round(n).toString();
  return n.toFixed(n >= 10 ? 1 : 2).replace(/\.?0+$/, "");
}

const known = (n: Maybe): n is number => n != null && Number.isFinite(n);

/** scaled writes n with the largest of the units, each a factor above the one before, that leaves a whole part. */
function scaled(n: number, factor: number, units: string[]): string {
  const size = Math.abs(n);
  let unit = 0;
  let value = size;
  // What would be rounded to the next unit is written in it: 999.7 kB is 1 MB.
  while (unit < units.length - 1 && value >= factor - 0.5) {
    value /= factor;
    unit++;
  }
  const text = significant(value) + (units[unit] ? space + units[unit] : "");
  return n < 0 ? "-" + text : text;
}

/** integer writes all digits, in groups of three. */
export function integer(n: Maybe): string {
  return known(n) ? Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, space) : unknown;
}

/** count writes small numbers in full, large ones with k, M or G. */
export function count(n: Maybe): string {
  if (!known(n)) return unknown;
  return Math.abs(n) >= 10 && Math.abs(n) < 9999.5 ? integer(n) : scaled(n, 1000, ["", "k", "M", "G", "T"]);
}

export const rate = (n: Maybe): string => (known(n) ? count(n) + "/s" : unknown);

/** cores are those of a processor. What is more than nothing does not look like nothing. */
export const cores = (n: Maybe): string => (known(n) && n > 0 && n < 0.005 ? "<0.01" : count(n));

/** bytes are those of data: powers of 1000. */
export const bytes = (n: Maybe): string => (known(n) ? scaled(n, 1000, ["B", "kB", "MB", "GB", "TB"]) : unknown);

/** memory is that of processes: powers of 1024. */
export const memory = (n: Maybe): string => (known(n) ? scaled(n, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]) : unknown);

/** percent is of a share between 0 and 1. What is more than nothing does not look like nothing. */
export function percent(share: Maybe): string {
  if (!known(share)) return unknown;
  return (share > 0 && share < 0.005 ? "<1" : Math.round(share * 100)) + space + "%";
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** duration of milliseconds, in its two largest units. */
export function duration(ms: Maybe): string {
  if (!known(ms) || ms < 0) return unknown;
  if (ms < second) return (ms < 10 ? significant(ms) : Math.round(ms)) + space + "ms";
  if (ms < minute) return significant(Math.floor(ms / 100) / 10) + space + "s";
  if (ms < hour) return pair(ms, minute, "min", second, "s");
  if (ms < day) return pair(ms, hour, "h", minute, "min");
  return pair(ms, day, "d", hour, "h");
}

function pair(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  const first = Math.floor(ms / large) + space + largeUnit;
  return rest > 0 ? first + space + rest + space + smallUnit : first;
}

/** age is a duration that goes on, in whole seconds: digits that change all the time say nothing. */
export const age = (ms: Maybe): string => (known(ms) && ms >= 0 ? (ms < second ? "0" + space + "s" : duration(ms - (ms % second))) : unknown);

export const ago = (ms: Maybe): string => (known(ms) ? (ms < second ? "just now" : age(ms) + " ago") : unknown);

/** clock is the time of day, in UTC as everywhere on the page. */
export const clock = (at: Maybe): string => (known(at) && at > 0 ? iso(at).slice(11, 19) : unknown);

/** clockExact is the time of day with milliseconds. */
export const clockExact = (at: Maybe): string => (known(at) && at > 0 ? iso(at).slice(11, 23) : unknown);

/** moment is date and time. */
export const moment = (at: Maybe): string => (known(at) && at > 0 ? iso(at).slice(0, 19).replace("T", " ") + " UTC" : unknown);

const iso = (at: number): string => new Date(at).toISOString();

/** plural is a number with its noun. */
export const plural = (n: number, one: string, many = one + "s"): string => integer(n) + space + (n === 1 ? one : many);

/** sentence begins with a capital letter. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
