import { useRef } from "preact/hooks";
import { count, percent, plural, rate } from "../fmt";
import { pure } from "../pure";
import { Icon } from "../ui";
import { put, usePaint, write } from "./board";
import { type Channel, channelsOf } from "./layout/channels";
import type { EdgePlace, Layout } from "./layout/layout";
import type { Box } from "./layout/sizes";
import { blocks, type Edge } from "./model";
import type { Numbers } from "./numbers";
import { pickEdge } from "./picked";
import { reasonsOf } from "./reasons";
import { at } from "./style";

interface Props {
  layout: Layout;
  layer: number;
  picked?: string;
  seen: ReadonlySet<number>; // chains in the window
}

/** Labels is what there is to say of edges. */
export const Labels = pure(({ layout, layer, picked, seen }: Props) => (
  <>
    {layer < 3 &&
      [...layout.joints].map(([e, joint]) => (
        <Label key={e.id} edge={e} box={joint.label} picked={picked === e.id} kind="call" seen={seesEdge(seen, e)}>
          {layer === 1 && <Carried edge={e} seen={seesEdge(seen, e)} />}
          <span class="why">
            <Icon name="link" size={12} />
            {layer === 1 ? "chained" : "function call"}
          </span>
        </Label>
      ))}
    {layout.edges.map((p) => {
      const box = layer === 4 ? p.labels.places : layer === 3 ? p.labels.rows : p.labels.cards;
      return (
        box && (
          <Label key={p.edge.id} edge={p.edge} box={box} picked={picked === p.edge.id} kind={layer === 4 ? "one-line" : ""} seen={seesEdge(seen, p.edge)}>
            <Words layout={layout} place={p} layer={layer} seen={seesEdge(seen, p.edge)} />
          </Label>
        )
      );
    })}
  </>
));

const seesEdge = (seen: ReadonlySet<number>, e: Edge): boolean => seen.has(e.from.chain.index) || seen.has(e.to.chain.index);

interface LabelProps {
  edge: Edge;
  box: Box;
  picked: boolean;
  kind: string;
  seen: boolean;
  children: preact.ComponentChildren;
}

function Label({ edge, box, picked, kind, seen, children }: LabelProps) {
  const element = useRef<HTMLButtonElement>(null);
  usePaint(
    null,
    (now) => {
      if (!seen) return;
      put(element.current, "class", `label ${kind} ${picked ? "picked" : ""} ${now.pressed(edge) ? "pressed" : ""}`);
    },
    [edge, picked, kind, seen],
  );
  return (
    <button ref={element} type="button" class={`label ${kind}`} aria-description={whyOf(edge)} style={at(box)} tabIndex={-1} data-edge={edge.id} onClick={() => pickEdge(edge.id)}>
      <span class="hidden">{`Edge from ${edge.from.name} to ${edge.to.name}`}</span>
      <span class="words">{children}</span>
    </button>
  );
}

/** rateOf is empty while nothing is known, as for a program that does not run. */
function rateOf(e: Edge, now: Numbers): string {
  const carried = now.carried(e);
  return carried === undefined ? "" : rate(carried);
}

const whyOf = (e: Edge): string => (e.chained ? "chained" : `not chained: ${e.stream?.chain.why ?? "not known why"}`);

function Carried({ edge, seen }: { edge: Edge; seen: boolean }) {
  const element = useRef<HTMLSpanElement>(null);
  usePaint(null, (now) => seen && write(element.current, rateOf(edge, now)), [edge, seen]);
  return (
    <span class="ellipsis">
      <b>{edge.partitioner}</b> <span ref={element} class="num" />
    </span>
  );
}

function Words({ layout, place: p, layer, seen }: { layout: Layout; place: EdgePlace; layer: number; seen: boolean }) {
  const { edge } = p;
  const { from, to } = edge;
  switch (layer) {
    case 1:
      return (
        <>
          <Carried edge={edge} seen={seen} />
          <span class="why">
            <Icon name="cut" size={11} />
            <span class="ellipsis">{edge.stream?.outputTag ? `side output ${edge.stream.outputTag}` : reasonsOf(edge)}</span>
          </span>
        </>
      );
    case 2:
      return (
        <>
          <Carried edge={edge} seen={seen} />
          <span class="why ellipsis">{blocks(edge) ? "blocking" : "pipelined"}</span>
        </>
      );
    case 3:
      return (
        <>
          <b>{edge.input?.wiring ? "POINTWISE" : "ALL_TO_ALL"}</b>
          <span class="why ellipsis">
            {channelsSay(from.chain.parallelism, to.chain.parallelism, edge.input?.channels ?? 0)}
          </span>
        </>
      );
  }
  return <Remote layout={layout} place={p} />;
}

const channelsSay = (from: number, to: number, channels: number): string =>
  channels < 1000 ? `${from} to ${to}, ${plural(channels, "channel")}` : `${count(channels)} channels`;

/** Remote is how many channels leave their process. */
function Remote({ layout, place: p }: { layout: Layout; place: EdgePlace }) {
  const channels = channelsOf(layout, p, 4);
  const placed = (c: Channel): boolean => [c.from, c.to].every((m) => layout.places.bands[m.band].id !== "");
  const lines = "lines" in channels ? channels.lines.filter(placed) : [];
  const remote = lines.filter((c) => c.from.band !== c.to.band).length;
  return (
    <>
      <b>{p.edge.partitioner}</b>
      {lines.length > 0 && <span class={remote ? "remote" : "why"}>{remote ? `${percent(remote / lines.length)} remote` : "all local"}</span>}
    </>
  );
}
