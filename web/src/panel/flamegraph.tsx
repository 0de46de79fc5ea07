import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { at, type Flame, type FlameGraph, type FlameType } from "../api";
import { percent, plural } from "../fmt";
import { setQuery, useRoute } from "../route";
import { serverNow, useAnswer } from "../store";
import { Empty, Failed, Table, Tabs, Time } from "../ui";
import { barsOf, fold, functionsOf, hottest, matches, pathTo, sameWay, shareMatching, stepFrom, type Bar, type Direction, type Folded } from "./flame";
import { shortName } from "./origin";
import type { Row } from "./rows";

interface FlameTabProps {
  job: string;
  vertex: string;
  rows: readonly Row[];
  subtask: number | undefined;
}

const types: { id: FlameType; title: string; means: string }[] = [
  { id: "on_cpu", title: "On CPU", means: "where it computes, from a CPU profile of two seconds" },
  { id: "off_cpu", title: "Off CPU", means: "what it waits for, from 20 looks at its goroutines in two seconds" },
  { id: "full", title: "Both", means: "where it is, computing or waiting, from 20 looks at its goroutines in two seconds" },
];

/** FlameTab takes samples when it is opened, and again when asked to: they cost the job some time. */
export function FlameTab(props: FlameTabProps) {
  if (props.rows.some((r) => r.load)) return <Sampled {...props} />;
  return <Empty title="No subtask runs">There is nothing to sample until one does.</Empty>;
}

function Sampled({ job, vertex, rows, subtask }: FlameTabProps) {
  const { query } = useRoute();
  const asked = types.find((t) => t.id === query.samples)?.id;
  const [guess, set] = useState<FlameType>(() => (idle(rows, subtask) ? "off_cpu" : "on_cpu"));
  const type = asked ?? guess;
  const samples = useSamples(job, vertex, type, subtask);
  const { means } = types.find((t) => t.id === type)!;
  // A subtask that is busy without computing, as in a call that does not return, says more by what it waits for.
  const sleeps = type === "on_cpu" && (samples.graph?.data?.value ?? few) < few;
  useEffect(() => {
    if (sleeps) set("off_cpu");
  }, [sleeps]);
  return (
    <div class="body">
      <div class="row wrap">
        <Tabs as="switch" label="Which samples" tabs={types} value={type} onPick={(samples) => setQuery({ samples })} />
        <select
          class="input"
          aria-label="Of which subtask"
          value={subtask ?? ""}
          onChange={(e) => setQuery({ subtask: e.currentTarget.value === "" ? null : Number(e.currentTarget.value) })}
        >
          <option value="">all subtasks</option>
          {rows.map((r) => (
            <option key={r.subtask} value={r.subtask}>
              subtask {r.subtask}
            </option>
          ))}
        </select>
        <span class="grow" />
        <button type="button" class="button" disabled={samples.busy} onClick={samples.take}>
          {samples.busy ? "Sampling" : "Sample again"}
        </button>
      </div>
      <p class="small secondary">
        {subtask === undefined ? "All subtasks" : `Subtask ${subtask}`}: {means}
        {samples.graph?.data && samples.graph.endTimestamp > 0 && (
          <>
            , <Time at={samples.graph.endTimestamp} />
          </>
        )}
        .
      </p>
      <Samples samples={samples} type={type} />
    </div>
  );
}

/** few samples of the processor, in the two seconds that one profile takes, are less than a tenth of one core. */
const few = 20;

/** idle says that the chosen subtask, or each of them, has next to nothing to do. */
const idle = (rows: readonly Row[], subtask: number | undefined): boolean =>
  rows.every((r) => (subtask !== undefined && r.subtask !== subtask) || (r.load?.busy ?? 0) < 50);

interface Taken {
  graph?: FlameGraph;
  error?: Parameters<typeof Failed>[0]["error"];
  /** Newer samples are being taken. */
  busy: boolean;
  /** take asks for newer samples. */
  take: () => void;
}

const waiting = -3;

/** Samples that are older than this when somebody comes are shown only until there are newer ones. */
const old = 15_000;

/** useSamples asks until there are samples, and after take until there are newer ones. */
function useSamples(job: string, vertex: string, type: FlameType, subtask: number | undefined): Taken {
  const [after, want] = useState(() => serverNow() - old);
  const path = at.flame(job, vertex, type, subtask);
  const [every, setEvery] = useState<number | undefined>();
  const answer = useAnswer(path, every);
  const graph = answer.data;
  const busy = !answer.error && (!graph || graph.endTimestamp === waiting || (graph.endTimestamp > 0 && graph.endTimestamp <= after));
  useEffect(() => setEvery(busy ? 1_000 : undefined), [busy]);
  const take = () => {
    want(graph?.endTimestamp ?? 0);
    answer.again();
  };
  return { graph, error: answer.error, busy, take };
}

function Samples({ samples, type }: { samples: Taken; type: FlameType }) {
  const { graph, error, take } = samples;
  if (error && !graph) return <Failed what="The flame graph" error={error} again={take} />;
  if (!graph || graph.endTimestamp === waiting) {
    return (
      <p class="quiet" role="status">
        Samples are being taken. That takes two seconds or a little more.
      </p>
    );
  }
  if (!graph.data) return <Empty title="There are no samples">{graph.flott}</Empty>;
  if (graph.data.value === 0) {
    if (type !== "on_cpu") return <Empty title="No goroutine of it was seen" />;
    return (
      <Empty title="It did not compute while samples were taken">
        <button type="button" class="button" onClick={() => setQuery({ samples: "off_cpu" })}>
          Show what it waits for
        </button>
      </Empty>
    );
  }
  return <Picture root={graph.data} />;
}

const rowHeight = 19;

/** A Picture is the flame graph, with a search in it. */
function Picture({ root: whole }: { root: Flame }) {
  const [unfolded, unfold] = useState(false);
  const root = useMemo<Folded>(() => (unfolded ? whole : fold(whole)), [whole, unfolded]);
  const [way, setWay] = useState<string[]>([]);
  const [search, setSearch] = useState("");
  const focus = useMemo(() => sameWay(root, way), [root, way]);
  const zoom = (to: Folded) => setWay((pathTo(root, to) ?? []).map((f) => f.name));
  return (
    <>
      <Hottest root={whole} />
      <div class="row wrap">
        <input class="input grow" type="search" placeholder="Search functions" aria-label="Search functions" value={search} onInput={(e) => setSearch(e.currentTarget.value)} />
        <span class="small secondary num" role="status">
          {search.trim() && `${percent(shareMatching(whole, search))} of all samples`}
        </span>
        <label class="check small">
          <input type="checkbox" checked={unfolded} onChange={(e) => unfold(e.currentTarget.checked)} />
          all frames
        </label>
        {focus !== root && (
          <button type="button" class="button" onClick={() => zoom(root)}>
            All samples
          </button>
        )}
      </div>
      <Bars root={root} focus={focus} search={search.trim().toLowerCase()} onZoom={zoom} />
      <p class="legend">
        <span class="key"><i class="of-user" />your code and its libraries</span>
        <span class="key"><i class="of-flott" />flott</span>
        <span class="key"><i class="of-go" />Go</span>
        <span class="small quiet">Arrows go along the bars, Enter zooms in, Esc out.</span>
      </p>
      <Functions root={whole} />
    </>
  );
}

/** Hottest says which function of the job's own has most of the time: what most people look for. */
function Hottest({ root }: { root: Flame }) {
  const most = useMemo(() => hottest(root), [root]);
  return most ? (
    <p>
      <b>{percent(most.share)}</b> of it is in <code>{shortName(most.name)}</code> and what that calls.
    </p>
  ) : null;
}

interface BarsProps {
  root: Folded;
  focus: Folded;
  search: string;
  onZoom: (to: Folded) => void;
}

/** Bars are in reach of the keyboard: arrows go along them, Enter zooms in, Esc out. */
function Bars({ root, focus, search, onZoom }: BarsProps) {
  const bars = useMemo(() => barsOf(root, focus), [root, focus]);
  const keys = useBarKeys(bars, focus, () => onZoom(pathTo(root, focus)?.at(-2) ?? root));
  return (
    <div
      class={search ? "flame searching" : "flame"}
      role="group"
      aria-label={`Flame graph of ${plural(root.value, "sample")}`}
      ref={keys.place}
      onKeyDown={keys.press}
      style={{ height: (Math.max(...bars.map((b) => b.depth)) + 1) * rowHeight }}
    >
      {bars.map((b, i) => (
        <button
          key={i}
          type="button"
          class={`${b.origin}${search && matches(b.flame, search) ? " found" : ""}${b.depth < keys.ofFocus ? " above" : ""}`}
          tabIndex={b === keys.reach ? 0 : -1}
          data-bar={i}
          title={`${b.flame.name}\n${percent(b.flame.value / root.value)}, ${plural(b.flame.value, "sample")}`}
          aria-label={`${b.label}, ${percent(b.flame.value / root.value)}`}
          style={{ left: `${b.x * 100}%`, width: `${b.width * 100}%`, top: b.depth * rowHeight }}
          onClick={() => onZoom(b.flame)}
        >
          {b.width > 0.04 ? b.label : ""}
        </button>
      ))}
    </div>
  );
}

const directions: Record<string, Direction> = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

/** useBarKeys has one bar in reach of the Tab key, and moves among them. */
function useBarKeys(bars: readonly Bar[], focus: Folded, zoomOut: () => void) {
  const place = useRef<HTMLDivElement>(null);
  const [on, setOn] = useState<Folded | null>(null);
  const ofFocus = bars.find((b) => b.flame === focus)?.depth ?? 0;
  const reach = bars.find((b) => b.flame === on) ?? bars.find((b) => b.flame === focus) ?? bars[0];
  const goTo = (b: Bar) => {
    setOn(b.flame);
    place.current?.querySelector<HTMLElement>(`[data-bar="${bars.indexOf(b)}"]`)?.focus();
  };
  const press = (e: JSX.TargetedKeyboardEvent<HTMLDivElement>) => {
    const to = directions[e.key];
    if (to && reach) goTo(stepFrom(bars, reach, to));
    else if (e.key === "Escape" && ofFocus > 0) zoomOut();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return { place, reach, press, ofFocus };
}

/** As many functions are listed. */
const listed = 20;

/** Functions is the picture as a table. */
function Functions({ root }: { root: Flame }) {
  const all = useMemo(() => functionsOf(root), [root]);
  return (
    <details class="small">
      <summary>The {Math.min(listed, all.length)} functions that took most</summary>
      <Table
        label="Functions by their own samples"
        class="dense"
        rows={all.slice(0, listed)}
        id={(f) => f.name}
        columns={[
          { title: "Function", head: true, cell: (f) => <code title={f.name}>{shortName(f.name)}</code> },
          { title: "Own", number: true, cell: (f) => percent(f.own / root.value) },
          { title: "With what it calls", number: true, cell: (f) => percent(f.total / root.value) },
        ]}
      />
    </details>
  );
}
