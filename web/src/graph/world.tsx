import { useMemo } from "preact/hooks";
import type { Diagnosis } from "../api";
import { percent } from "../fmt";
import { Icon } from "../ui";
import { Bands } from "./bands";
import { Cards, Head, Hull } from "./cards";
import { ChannelLines, Edges, Highlight } from "./edges";
import { Labels } from "./labels";
import type { TaskLayer } from "./layout/channels";
import type { Layout } from "./layout/layout";
import type { Mark } from "./layout/marks";
import { size } from "./layout/sizes";
import type { Edge, Model } from "./model";
import type { Picked } from "./picked";
import type { Sight } from "./sight";
import { at } from "./style";
import { Tasks } from "./tasks";

interface Props {
  layout: Layout;
  layer: number;
  picked: Picked;
  diagnosis: Diagnosis | undefined;
  sight: Sight;
  tasksToo: boolean; // layers 3 and 4 have been looked at
  over: Mark | null;
  onOver: (mark: Mark | null) => void;
}

/** The World is the picture: everything of all layers, of which the layer shows a part. */
export function World({ layout, layer, picked, diagnosis, sight, tasksToo, over, onOver }: Props) {
  const tasks: TaskLayer = layer === 4 ? 4 : 3;
  const hot = diagnosis?.bottleneck ?? null;
  const hotIndex = layout.model.chains.findIndex((c) => c.id === hot?.vertex);
  const blocked = useMemo(() => blockedEdges(layout.model, diagnosis), [layout, diagnosis]);
  const markOf = (chain: number, subtask: number | undefined): Mark | null => {
    const marks = layer === 4 ? layout.places.marks[chain] : layout.chains[chain]?.rows;
    return (subtask !== undefined && marks?.of[subtask]) || null;
  };
  const pickedIndex = layout.model.chains.findIndex((c) => c.id === picked.vertex);
  const lit = over ?? markOf(pickedIndex, picked.subtask);
  return (
    <>
      {tasksToo && <Bands places={layout.places} />}
      {layout.chains.map((c, i) => (
        <Hull key={c.chain.id} place={c} picked={i === pickedIndex} hot={i === hotIndex} />
      ))}
      <svg class="lines" width="1" height="1" aria-hidden="true">
        {layer < 3 && <Edges layout={layout} layer={layer} picked={picked.edge} blocked={blocked} />}
        {layer > 2 && (
          <ChannelLines
            key={layer}
            layout={layout}
            layer={tasks}
            picked={picked.edge}
            blocked={blocked}
            hot={markOf(hotIndex, hot?.subtask)}
            seen={sight.seen}
          />
        )}
        {layer > 2 && <Highlight layout={layout} layer={tasks} mark={lit} />}
      </svg>
      {layout.chains.map((c) => (
        <Head key={c.chain.id} layout={layout} place={c} layer={layer} />
      ))}
      {layout.chains.map(
        (c, i) =>
          sight.near.has(i) && (
            <Cards key={c.chain.id} layout={layout} place={c} layer={layer} picked={i === pickedIndex} hot={i === hotIndex} seen={sight.seen.has(i)} />
          ),
      )}
      {tasksToo &&
        layout.chains.map(
          (c, i) =>
            sight.near.has(i) && (
              <Tasks
                key={c.chain.id}
                layout={layout}
                place={c}
                layer={tasks}
                seen={layer > 2 && sight.seen.has(i)}
                far={sight.far}
                picked={i === pickedIndex ? picked.subtask : undefined}
                hot={i === hotIndex ? hot?.subtask : undefined}
                over={onOver}
              />
            ),
        )}
      <Labels key={layer < 3 ? "cards" : layer} layout={layout} layer={layer} picked={picked.edge} seen={sight.seen} />
      {hotIndex >= 0 && layer < 4 && <Flag layout={layout} layer={layer} chain={hotIndex} diagnosis={diagnosis!} />}
    </>
  );
}

/** A Flag says over a box that it is the bottleneck, or that it stands still. */
function Flag({ layout, layer, chain, diagnosis }: { layout: Layout; layer: number; chain: number; diagnosis: Diagnosis }) {
  const { box } = layout.chains[chain];
  const { subtask } = diagnosis.bottleneck!;
  const stands = standsStill(diagnosis);
  const busy = diagnosis.findings.find((f) => f.kind === "bottleneck" || f.kind === "skew")?.figures.busy;
  const top = layer === 1 ? size.head : 0;
  return (
    <div class="flag" style={at({ x: box.x + (layer === 1 ? size.pad : 0), y: box.y + top - 25, w: size.column, h: 20 })}>
      <span>
        <Icon name="warn" size={12} />
        {stands ? "no progress" : "bottleneck"}, subtask {subtask}
        {!stands && busy !== undefined && ` is ${percent(busy / 1000)} busy`}
      </span>
    </div>
  );
}

/** standsStill says that the bottleneck makes no progress at all. */
export const standsStill = (d: Diagnosis | undefined): boolean =>
  d?.findings.some((f) => f.kind === "progress" && f.level === "stalled" && f.vertex === d.bottleneck?.vertex) ?? false;

/** blockedEdges is those on the way from the sources to the bottleneck. */
function blockedEdges(model: Model, diagnosis: Diagnosis | undefined): ReadonlySet<Edge> {
  const path = diagnosis?.findings.find((f) => f.kind === "bottleneck" || f.kind === "skew")?.path ?? [];
  return new Set(model.edges.filter((e) => !e.chained && path.includes(e.from.chain.id) && path.includes(e.to.chain.id)));
}
