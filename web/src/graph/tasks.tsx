import { useRef } from "preact/hooks";
import type { TaskState } from "../api";
import { percent, rate } from "../fmt";
import type { Columns } from "../frames";
import { pure } from "../pure";
import { hue, letters } from "../ui";
import { taskWord } from "../words";
import { put, usePaint, write } from "./board";
import type { ChainPlace, Layout } from "./layout/layout";
import { isThin, type Mark } from "./layout/marks";
import { around, right } from "./layout/sizes";
import type { Chain } from "./model";
import type { Numbers } from "./numbers";
import { pickVertex } from "./picked";
import { barsKey, markKey } from "./stops";
import { at, barsOf, setBars } from "./style";

interface Props {
  layout: Layout;
  place: ChainPlace;
  layer: number; // 3 or 4
  seen: boolean;
  far: boolean; // too far away to read
  picked?: number; // subtask
  hot?: number; // subtask
  over: (mark: Mark | null) => void;
}

/** Tasks is the subtasks of a chain: a row each, or bars where there are too many. */
export const Tasks = pure((props: Props) => {
  const { layout, place, layer } = props;
  const thin = layer === 3 ? isThin(place.chain) : layout.places.dense;
  const marks = layer === 3 ? place.rows.all : layout.places.marks[place.chain.index].all;
  if (marks.length === 0) return null;
  return thin ? <Bars key={`bars${layer}`} {...props} marks={marks} /> : <Rows key="rows" {...props} marks={marks} />;
});

function Rows({ place: { chain }, marks, layer, seen, far, picked, hot, over }: Props & { marks: Mark[] }) {
  const rows = useRef<(HTMLButtonElement | null)[]>([]);
  const painted = useRef<Painted[]>([]);
  usePaint(
    chain,
    (now) => {
      if (!seen) return;
      for (const m of marks) {
        const row = rows.current[m.subtasks[0]];
        if (row) painted.current[m.subtasks[0]] = paintRow(row, painted.current[m.subtasks[0]], now, chain, m.subtasks[0], far);
      }
    },
    [seen, far, marks],
  );
  return (
    <>
      {marks.map((m) => {
        const s = m.subtasks[0];
        const label = `${layer === 4 ? letters(chain.key) : ""}${s} `; // with a space, as it is read together with the rate
        return (
          <button
            key={s}
            ref={(e) => void (rows.current[s] = e)}
            type="button"
            class={`task ${s === picked ? "picked" : ""} ${s === hot ? "hot" : ""}`}
            style={{ ...at(m.box), ...hue(chain.key) }}
            tabIndex={-1}
            data-key={markKey(chain.index, s)}
            onClick={() => pickVertex(chain.id, s)}
            onPointerEnter={() => over(m)}
            onPointerLeave={() => over(null)}
            onFocus={() => {
              over(m);
              rows.current[s]!.setAttribute("aria-description", saysOf(chain, s, painted.current[s]));
            }}
            onBlur={() => over(null)}
          >
            <span class="index">{label}</span>
            {barsOf("of-task")}
            <span class="rate num" />
          </button>
        );
      })}
    </>
  );
}

/** Painted is what a row shows. */
interface Painted {
  row: HTMLElement;
  busy: number; // percent
  bp: number;
  text: string;
  state: TaskState | undefined;
}

/** paintRow writes what is different from what the row shows. */
function paintRow(row: HTMLElement, was: Painted | undefined, now: Numbers, chain: Chain, subtask: number, far: boolean): Painted {
  const columns = now.columns(chain);
  const state = now.state(chain, subtask);
  const runs = state === undefined || state === "RUNNING";
  const next: Painted = {
    row,
    state,
    busy: runs ? Math.round((columns?.busy[subtask] ?? 0) / 10) : 0,
    bp: runs ? Math.round((columns?.bp[subtask] ?? 0) / 10) : 0,
    text: far ? "" : runs ? rateOf(now.rate(chain, subtask)) : taskWord(state),
  };
  const [index, bars, text] = row.children;
  const old = was?.row === row ? was : undefined;
  if (old?.busy !== next.busy || old.bp !== next.bp) setBars(bars as HTMLElement, next.busy, next.bp);
  if (old?.text !== next.text) {
    write(text, next.text);
    row.ariaLabel = `${chain.name} subtask ${index.textContent}${next.text}`;
  }
  if (old?.state !== next.state) row.dataset.state = next.state ?? "";
  return next;
}

/** rateOf is empty where nothing runs. */
const rateOf = (flow: number | undefined): string => (flow === undefined ? "" : rate(flow));

function saysOf(chain: Chain, subtask: number, p: Painted | undefined): string {
  const { taskManager, slot } = chain.subtasks[subtask] ?? { taskManager: "", slot: 0 };
  const where = taskManager ? `${taskManager} slot ${slot}` : "no slot yet";
  return p ? `${percent(p.busy / 100)} busy, ${percent(p.bp / 100)} back-pressured, ${where}` : where;
}

/** Bars is the subtasks of a chain as thin bars, drawn as a path for each colour. They are pointed at through the picture, which knows where they are. */
function Bars({ place: { chain }, marks, layer, seen, over }: Props & { marks: Mark[] }) {
  const paths = useRef<SVGGElement>(null);
  let drawn: Columns | undefined; // by the painter, which is another one when something else is to be painted
  usePaint(
    chain,
    (now) => {
      const columns = now.columns(chain);
      if (!seen || (columns && looksLike(columns, drawn))) return;
      drawn = columns;
      const loads = marks.map((m) => now.worst(chain, m.subtasks));
      const states = marks.map((m) => worstOf(m.subtasks.map((s) => now.state(chain, s))));
      const all = (state: Shown) => (i: number): [number, number] => [0, states[i] === state ? 1000 : 0];
      const [idle, busy, bp, rests, failed] = paths.current!.children;
      put(idle, "d", lengths(marks, all("runs")));
      put(busy, "d", lengths(marks, (i) => [0, states[i] === "runs" ? loads[i].busy : 0]));
      put(bp, "d", lengths(marks, (i) => (states[i] === "runs" ? [loads[i].busy, loads[i].busy + loads[i].bp] : [0, 0])));
      put(rests, "d", lengths(marks, all("rests")));
      put(failed, "d", lengths(marks, all("failed")));
    },
    [seen, marks],
  );
  const first = marks[0].box;
  const all = around(marks.map((m) => m.box));
  const box = layer === 3 ? all : first;
  return (
    <>
      <svg class="thin" aria-hidden="true" width="1" height="1">
        <g ref={paths}>
          <path class="idle" />
          <path class="busy" />
          <path class="bp" />
          <path class="rests" />
          <path class="failed" />
        </g>
      </svg>
      <button
        type="button"
        class="all-tasks"
        style={at(box)}
        tabIndex={-1}
        data-key={barsKey(chain.index)}
        aria-label={`${chain.name}, ${chain.parallelism} subtasks, as a table`}
        onClick={() => pickVertex(chain.id)}
        onFocus={() => over(marks[0])}
        onBlur={() => over(null)}
      />
    </>
  );
}

/** looksLike says that bars look as they did: a column that did not change is the same object. */
const looksLike = (a: Columns, b: Columns | undefined): boolean => a.busy === b?.busy && a.bp === b.bp && a.state === b.state;

type Shown = "runs" | "rests" | "failed";

/** worstOf is what a bar shows of the states of its subtasks. */
function worstOf(states: (TaskState | undefined)[]): Shown {
  if (states.includes("FAILED")) return "failed";
  return states.some((s) => s === undefined || s === "RUNNING") ? "runs" : "rests";
}

/** lengths is a path of bars, each from and to a share in per mille of its mark's width. */
function lengths(marks: Mark[], of: (i: number) => [number, number]): string {
  let d = "";
  marks.forEach(({ box }, i) => {
    const [from, to] = of(i).map((share) => Math.round((Math.min(1000, share) * box.w) / 1000));
    if (to > from) d += `M${box.x + from} ${box.y}h${to - from}v${box.h}h${from - to}z`;
  });
  return d;
}

/** markAt is the mark of bars that is at a point. */
export function markAt(layout: Layout, layer: number, x: number, y: number): Mark | null {
  for (const c of layout.chains) {
    if (x < c.box.x || x > right(c.box) || (layer === 3 ? !isThin(c.chain) : !layout.places.dense)) continue;
    const marks = layer === 3 ? c.rows.all : layout.places.marks[c.chain.index].all;
    const found = marks.find(({ box }) => y >= box.y && y <= box.y + box.h + 1);
    if (found) return found;
  }
  return null;
}
