// Dumps of goroutines, as Go prints them, and which of them do the same.

import { originOf, type Origin } from "../panel/origin";

export interface StackFrame {
  function: string;
  file: string;
  line: number;
  origin: Origin;
}

export interface Goroutine {
  id: number;
  /** In what process it is; empty: in the one that was asked. */
  worker: string;
  /** What it does: running, select, chan receive, ... */
  state: string;
  /** Minutes that it has done so; 0: less than one. */
  minutes: number;
  /** Innermost first. */
  frames: StackFrame[];
  createdBy: StackFrame | null;
}

export interface Dump {
  goroutines: Goroutine[];
  /** What stands in place of the goroutines of a worker that did not answer. */
  failures: { worker: string; text: string }[];
}

/** parseDump reads one dump, or those of several workers, each below a line `worker NAME`. */
export function parseDump(text: string): Dump {
  const dump: Dump = { goroutines: [], failures: [] };
  let worker = "";
  for (const block of text.split(/\n{2,}/)) {
    const lines = block.split("\n").filter((l) => l !== "");
    if (lines[0]?.startsWith("worker ")) worker = lines.shift()!.slice("worker ".length);
    if (!lines.length) continue;
    const one = parseGoroutine(lines, worker);
    if (one) dump.goroutines.push(one);
    else dump.failures.push({ worker, text: lines.join("\n") });
  }
  return dump;
}

const header = /^goroutine (\d+)(?: [^[]*)?\[([^\]]*)\]/;

function parseGoroutine(lines: string[], worker: string): Goroutine | null {
  const head = header.exec(lines[0] ?? "");
  if (!head) return null;
  const [state = "", ...more] = head[2]!.split(", ");
  const one: Goroutine = { id: Number(head[1]), worker, state, minutes: 0, frames: [], createdBy: null };
  for (const m of more) if (m.endsWith(" minutes")) one.minutes = parseInt(m, 10);
  for (let i = 1; i < lines.length; i += 2) {
    const frame = parseFrame(lines[i]!, lines[i + 1] ?? "");
    if (lines[i]!.startsWith(creator)) one.createdBy = frame;
    else one.frames.push(frame);
  }
  return one;
}

const creator = "created by ";

function parseFrame(call: string, place: string): StackFrame {
  const name = call.startsWith(creator) ? call.slice(creator.length).replace(/ in goroutine \d+$/, "") : withoutArguments(call);
  const at = /^\s*(.*):(\d+)(?: \+0x[0-9a-f]+)?$/.exec(place);
  const file = at?.[1] ?? "";
  return { function: name, file, line: at ? Number(at[2]) : 0, origin: ofCommand(name, file) ? "flott" : originOf(name) };
}

/** ofCommand says that a function is of the program flott itself, which is called main as those of jobs are. */
const ofCommand = (name: string, file: string): boolean => name.startsWith("main.") && /\/cmd\/flott\/[^/]+\.go$/.test(file);

/** withoutArguments cuts the last pair of brackets off: those before belong to the names of receivers. */
function withoutArguments(call: string): string {
  let open = 0;
  for (let i = call.length - 1; i >= 0; i--) {
    if (call[i] === ")") open++;
    if (call[i] === "(" && --open === 0) return call.slice(0, i);
  }
  return call;
}

/** A Group is the goroutines that do the same at the same place. */
export interface Group {
  key: string;
  goroutines: Goroutine[];
  state: string;
  /** Of the one that has waited longest. */
  minutes: number;
  frames: StackFrame[];
  createdBy: StackFrame | null;
  /** The innermost frame of the job's code; else of flott's; else of all. It is what the group is called by. */
  title: StackFrame | null;
}

/** groupsOf puts groups that are in the job's code first, then those in flott's; in each the largest first. */
export function groupsOf(goroutines: readonly Goroutine[]): Group[] {
  const by = new Map<string, Group>();
  for (const g of goroutines) {
    const key = [g.state, ...g.frames.map((f) => f.function + ":" + f.line)].join("\n");
    const group = by.get(key);
    if (group) {
      group.goroutines.push(g);
      group.minutes = Math.max(group.minutes, g.minutes);
    } else {
      const { state, minutes, frames, createdBy } = g;
      by.set(key, { key, goroutines: [g], state, minutes, frames, createdBy, title: titleOf(frames) });
    }
  }
  return [...by.values()].sort((a, b) => rank(a) - rank(b) || b.goroutines.length - a.goroutines.length);
}

const ranks: Origin[] = ["user", "flott", "go"];

const rank = (g: Group): number => (g.title ? ranks.indexOf(g.title.origin) : ranks.length);

function titleOf(frames: readonly StackFrame[]): StackFrame | null {
  for (const origin of ranks) {
    const frame = frames.find((f) => f.origin === origin);
    if (frame) return frame;
  }
  return null;
}

/** matching is the groups that have all words of a text in their stacks or states. */
export function matching(groups: readonly Group[], text: string): Group[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups.filter((g) => {
    const all = [g.state, ...g.frames.map((f) => `${f.function} ${f.file}:${f.line}`), ...workersOf(g)].join("\n").toLowerCase();
    return words.every((w) => all.includes(w));
  });
}

export const workersOf = (g: Group): string[] => [...new Set(g.goroutines.map((x) => x.worker))].filter(Boolean);
