import { useMemo, useRef } from "preact/hooks";
import { pure } from "../pure";
import { put, usePaint } from "./board";
import { channelsAt, channelsOf, type Channel, type TaskLayer } from "./layout/channels";
import { type EdgePlace, type Layout, tip } from "./layout/layout";
import type { Joint } from "./layout/joints";
import type { Mark } from "./layout/marks";
import { blocks, type Edge } from "./model";
import { type Numbers, width } from "./numbers";

interface Props {
  layout: Layout;
  layer: number;
  picked?: string; // edge
  blocked: ReadonlySet<Edge>; // the way to the bottleneck
}

/** Edges is the lines of layers 1 and 2. */
export const Edges = pure(({ layout, layer, picked, blocked }: Props) => (
  <g class="edges">
    {[...layout.joints].map(([e, joint]) => (
      <JointLine key={e.id} edge={e} joint={joint} layer={layer} picked={picked === e.id} />
    ))}
    {layout.edges.map((p) => (
      <Line key={p.edge.id} place={p} layer={layer} picked={picked === p.edge.id} blocked={blocked.has(p.edge)} />
    ))}
  </g>
));

/** mostInBox is the greatest width of a line in the margin of a box. */
const mostInBox = 4;

function JointLine({ edge, joint, layer, picked }: { edge: Edge; joint: Joint; layer: number; picked: boolean }) {
  const path = useRef<SVGPathElement>(null);
  usePaint(null, (now) => put(path.current, "stroke-width", layer === 1 ? Math.min(mostInBox, width(now.carried(edge))).toFixed(1) : "2.5"), [layer]);
  const { x, y } = joint.tip;
  return (
    <g class={`joint ${picked ? "picked" : ""}`}>
      <path ref={path} class="stroke" d={joint.path} />
      <path class="tip" d={`M${x - 4} ${y - 7}h8l-4 6z`} />
    </g>
  );
}

interface LineProps {
  place: EdgePlace;
  layer: number;
  picked: boolean;
  blocked: boolean;
}

function Line({ place, layer, picked, blocked }: LineProps) {
  const group = useRef<SVGGElement>(null);
  const { edge } = place;
  usePaint(
    null,
    (now) => {
      put(group.current!, "class", `edge ${picked ? "picked" : ""} ${blocked || now.pressed(edge) ? "pressed" : ""}`);
      put(group.current!.firstElementChild, "stroke-width", thick(now, edge));
    },
    [picked, blocked],
  );
  const d = layer === 1 ? place.stream : place.job;
  const [x, y] = endOf(d);
  return (
    <g ref={group}>
      <path class={`stroke ${edge.stream?.outputTag ? "side" : ""}`} d={d} />
      <path class="tip" d={`M${x - 2} ${y - 5}l${tip + 2} 5l${-tip - 2} 5z`} />
      {blocks(edge) && <path class="waits" d={`M${x - 8} ${y - 9}v18M${x - 4} ${y - 9}v18`} />}
    </g>
  );
}

const thick = (now: Numbers, e: Edge): string => width(now.carried(e)).toFixed(1);

/** endOf is where a path ends. */
function endOf(d: string): [number, number] {
  const y = Number(d.match(/ ([\d.-]+)(?:H[\d.-]+)?$/)![1]);
  const x = Number(d.match(/[H ]([\d.-]+)(?: [\d.-]+)?$/)![1]);
  return [x, y];
}

interface ChannelProps {
  layout: Layout;
  layer: TaskLayer;
  picked?: string;
  blocked: ReadonlySet<Edge>;
  hot: Mark | null;
  seen: ReadonlySet<number>; // chains in the window
}

/** ChannelLines is the lines of layers 3 and 4, as far as they are in the window: all of one kind are one path. */
export const ChannelLines = pure(({ layout, layer, picked, blocked, hot, seen }: ChannelProps) => (
  <g class="channels">
    {layout.edges.filter((p) => passes(layout, p, seen)).map((p) => (
      <ChannelsOf key={p.edge.id} layout={layout} place={p} layer={layer} picked={picked === p.edge.id} blocked={blocked.has(p.edge)} hot={hot} />
    ))}
  </g>
));

/** passes says that an edge begins, ends or passes where something is seen. */
function passes(l: Layout, { edge, lanes }: EdgePlace, seen: ReadonlySet<number>): boolean {
  if (seen.has(edge.from.chain.index) || seen.has(edge.to.chain.index)) return true;
  return lanes.some((lane) => l.columns[lane.column].some((c) => seen.has(c.index)));
}

interface ChannelsOfProps {
  layout: Layout;
  place: EdgePlace;
  layer: TaskLayer;
  picked: boolean;
  blocked: boolean;
  hot: Mark | null;
}

function ChannelsOf({ layout, place, layer, picked, blocked, hot }: ChannelsOfProps) {
  const channels = useMemo(() => channelsOf(layout, place, layer), [layout, place, layer]);
  const name = picked ? "picked" : "";
  if ("ribbon" in channels) return <path class={`ribbon ${name} ${blocked ? "pressed" : ""}`} d={channels.ribbon} />;
  const kinds = new Map<string, string>();
  for (const c of channels.lines) {
    const kind = layer === 4 ? (c.from.band === c.to.band ? "local" : "remote") : blocked && c.to === hot ? "pressed" : "plain";
    kinds.set(kind, (kinds.get(kind) ?? "") + c.path);
  }
  const n = channels.lines.length;
  const many = n > 400 ? "crowd" : n > 40 ? "many" : "";
  return (
    <>
      {[...kinds].map(([kind, d]) => (
        <path key={kind} class={`channel ${kind} ${many} ${name}`} d={d} />
      ))}
    </>
  );
}

/** Highlight is the channels of a mark, over all others. */
export const Highlight = pure(({ layout, layer, mark }: { layout: Layout; layer: TaskLayer; mark: Mark | null }) => {
  if (!mark) return null;
  const lines: Channel[] = layout.edges.flatMap((p) => channelsAt(layout, p, layer, mark));
  return <path class="channel over" d={lines.map((c) => c.path).join("")} />;
});
