import type { TaskState } from "../api";
import type { Columns, JobLive } from "../frames";
import { sum } from "../panel/rows";
import { taskWord } from "../words";
import type { Chain, Edge, Model, Operator } from "./model";

/** Load is milliseconds of a second. */
export interface Load {
  busy: number;
  bp: number;
}

/** pressedFrom is the back-pressure from which an edge counts as blocked. */
const pressedFrom = 500;

/** Numbers is how the things of a picture are now. */
export class Numbers {
  private readonly pressures = new Map<Chain, number>();
  private readonly states = new Map<Chain, TaskState | undefined>();

  constructor(
    readonly model: Model,
    readonly live: JobLive,
    private readonly planned = false, // tasks are not there yet: they have no states
    private readonly incoming = incomingOf(model),
  ) {}

  with(live: JobLive): Numbers {
    return new Numbers(this.model, live, this.planned, this.incoming);
  }

  columns(chain: Chain): Columns | undefined {
    return this.live.vertices.get(chain.id);
  }

  state(chain: Chain, subtask: number): TaskState | undefined {
    return this.stateIn(this.columns(chain), chain, subtask);
  }

  private stateIn(columns: Columns | undefined, chain: Chain, subtask: number): TaskState | undefined {
    return this.planned ? undefined : (columns?.state[subtask] ?? chain.subtasks[subtask]?.state);
  }

  /** busiest is the subtask that has least time left; undefined: nothing is known. */
  busiest(chain: Chain): (Load & { subtask: number }) | undefined {
    const c = this.columns(chain);
    if (!c || c.busy.length === 0) return undefined;
    let subtask = 0;
    c.busy.forEach((busy, i) => {
      if (busy > c.busy[subtask]) subtask = i;
    });
    return { subtask, busy: c.busy[subtask], bp: c.bp[subtask] };
  }

  /** worst is the load that a mark shows that stands for several subtasks. */
  worst(chain: Chain, subtasks: number[]): Load {
    const c = this.columns(chain);
    const load = { busy: 0, bp: 0 };
    if (!c) return load;
    for (const s of subtasks) {
      if ((c.busy[s] ?? 0) + (c.bp[s] ?? 0) > load.busy + load.bp) {
        load.busy = c.busy[s];
        load.bp = c.bp[s];
      }
    }
    return load;
  }

  /** rate of a subtask: what it takes, or what it sends if it is a source. */
  rate(chain: Chain, subtask: number): number | undefined {
    const c = this.columns(chain);
    return c && Math.max(c.in[subtask] ?? 0, c.out[subtask] ?? 0);
  }

  /** flow is the records a second of an operator: those that come, or those that a source makes. */
  flow(o: Operator): number | undefined {
    const edges = this.incoming.get(o);
    return edges ? sum(edges.map((e) => this.carried(e))) : this.sent(o);
  }

  /** carried is the records a second of an edge. */
  carried(e: Edge): number | undefined {
    return this.sent(e.from);
  }

  private sent(o: Operator): number | undefined {
    const known = this.live.edges.get(o.id);
    if (known !== undefined || o.node) return known;
    return sum(this.columns(o.chain)?.out ?? []); // without a stream graph an operator stands for its chain
  }

  /** pressure is the back-pressure of the subtask that has most of it. */
  pressure(chain: Chain): number {
    const known = this.pressures.get(chain);
    if (known !== undefined) return known;
    const most = Math.max(0, ...(this.columns(chain)?.bp ?? []));
    this.pressures.set(chain, most);
    return most;
  }

  /** pressed says that an edge cannot pass on what is sent: its sender waits, and its receiver is why. */
  pressed(e: Edge): boolean {
    if (e.chained || this.pressure(e.from.chain) < pressedFrom) return false;
    const load = this.busiest(e.to.chain);
    return load !== undefined && (load.busy >= 800 || this.pressure(e.to.chain) >= pressedFrom);
  }

  /** overall is the state of a chain: that of all its subtasks, or that one failed. Otherwise it has none. */
  overall(chain: Chain): TaskState | undefined {
    if (!this.states.has(chain)) this.states.set(chain, this.addUp(chain));
    return this.states.get(chain);
  }

  private addUp(chain: Chain): TaskState | undefined {
    const columns = this.columns(chain);
    const first = this.stateIn(columns, chain, 0);
    let state = first;
    for (let i = 0; i < chain.parallelism; i++) {
      const one = this.stateIn(columns, chain, i);
      if (one === "FAILED") return one;
      if (one !== first) state = undefined;
    }
    return state;
  }

  /** said is the state of a chain in words, with how many of its subtasks have failed. */
  said(chain: Chain): string {
    const state = this.overall(chain);
    if (!state) return "";
    const failed = state === "FAILED" ? chain.subtasks.filter((s) => this.state(chain, s.index) === state).length : chain.parallelism;
    return failed < chain.parallelism ? `${failed} of ${chain.parallelism} failed` : taskWord(state);
  }
}

function incomingOf(model: Model): Map<Operator, Edge[]> {
  const incoming = new Map<Operator, Edge[]>();
  for (const e of model.edges) {
    const same = incoming.get(e.to);
    if (same) same.push(e);
    else incoming.set(e.to, [e]);
  }
  return incoming;
}

/** width of an edge, which grows with the magnitude of its records a second. */
export const width = (rate: number | undefined): number =>
  rate && rate > 0 ? Math.max(1.2, Math.min(9, (Math.log10(rate) - 1) * 1.9)) : 1;
