// Logs of flott's processes are lines as Go's slog writes them: time=… level=… msg="…" key=value. Here such a line becomes what the REST
// API gives for the JobManager's log, so that both look the same.

import type { LogLevel, LogLine } from "../api";

/** A Line is one of a log; level null: it is only text, such as what a library or a crash has written. */
export type Line = Omit<LogLine, "level"> & { level: LogLevel | null };

const pair = /([^\s=]+)=("(?:[^"\\]|\\.)*"|[^\s"]\S*|)(?:\s+|$)/gy;

/** parseLine reads one line; seq is the number that it gets. */
export function parseLine(text: string, seq: number): Line {
  const { time, level, msg, job_id, task, attempt, ...fields } = pairsOf(text) ?? {};
  if (time === undefined || !isLevel(level)) return { seq, at: 0, level: null, message: text };
  return {
    seq,
    at: Date.parse(time),
    level,
    message: msg ?? "",
    job: job_id,
    task,
    attempt,
    fields,
  };
}

/** pairsOf is the keys and values of a line; undefined: it has something else in it. */
function pairsOf(text: string): Record<string, string> | undefined {
  const pairs: Record<string, string> = {};
  let end = 0;
  for (const match of text.matchAll(pair)) {
    const [all, key = "", value = ""] = match;
    pairs[key] = value.startsWith('"') ? unquote(value) : value;
    end = match.index + all.length;
  }
  return end === text.length ? pairs : undefined;
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };

/** unquote is the text that Go's strconv.Quote was given. */
function unquote(quoted: string): string {
  const escape = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/g;
  return quoted.slice(1, -1).replace(escape, (_, x?: string, u?: string, long?: string, one = "") => {
    const code = x ?? u ?? long;
    return code === undefined ? (escapes[one] ?? one) : String.fromCodePoint(parseInt(code, 16));
  });
}

const rank: Record<LogLevel, number> = { DEBUG: 0, INFO: 1, WARN: 2, ERROR: 3 };

export const levels = Object.keys(rank) as LogLevel[];

const isLevel = (level: string | undefined): level is LogLevel => level !== undefined && level in rank;

/** A Filter lets lines through that are of a level or above, and have a text in their message or in a field: the server's has the same rule. */
export interface Filter {
  level: LogLevel;
  text: string;
}

/** choose is the lines that a filter lets through. What is only text belongs to the line before it. */
export function choose(lines: readonly Line[], filter: Filter): Line[] {
  const text = filter.text.toLowerCase();
  let of: LogLevel = "INFO";
  return lines.filter((line) => {
    of = line.level ?? of;
    return rank[of] >= rank[filter.level] && has(line, text);
  });
}

/** has finds `job=name` in a field. */
function has({ message, job = "", task = "", fields = {} }: Line, text: string): boolean {
  const pairs = Object.entries(fields).map(([key, value]) => `${key}=${value}`);
  return [message, job, task, ...pairs].some((part) => part.toLowerCase().includes(text));
}
