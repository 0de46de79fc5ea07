import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Diagnosis, Graphs, JobDetails } from "../api";
import { columnsOf, nothing, type JobLive } from "../frames";
import { useKeys } from "../keys";
import { EdgePanel, VertexPanel } from "../panel/panel";
import { setQuery } from "../route";
import { jobLive, onFrame } from "../store";
import { Empty, LoadLegend, Tabs } from "../ui";
import { Board, BoardContext } from "./board";
import { aboutOf, layers } from "./layers";
import { layout } from "./layout/layout";
import { type Model, modelOf, shapeOf } from "./model";
import { Numbers } from "./numbers";
import { type Picked, pickedOf, pickEdge, pickNothing, pickVertex } from "./picked";
import { Port } from "./port";
import { GraphTable } from "./table";
import "./graph.css";

/** mostPictured: above it, a job opens as a table. */
const mostPictured = 150;

const noTotals: JobDetails["vertices"] = [];

/** Runs says when tasks run: a plan's not yet, those of a job that has ended no more. */
export type Runs = "not yet" | "now" | "no more";

interface Props {
  job: JobDetails;
  graphs: Graphs;
  diagnosis: Diagnosis | undefined;
  query: Readonly<Record<string, string>>;
  runs: Runs;
  again: () => void; // asks for the graphs once more
}

/** The Graph is the four graphs of a job as one picture, the table that says the same, and the panel of what is picked. */
export function Graph({ job, graphs, diagnosis, query, runs, again }: Props) {
  const still = runs !== "now";
  const shape = useMemo(() => shapeOf(graphs), [graphs]);
  const model = useMemo(() => modelOf(graphs), [shape]);
  const places = useMemo(() => layout(model), [model]);
  const board = useBoard(model, graphs, runs, again);
  const picked = pickedOf(query);
  const layer = layerOf(query.layer, model);
  const about = useMemo(() => aboutOf(layer, places), [layer, places]);
  useGraphKeys(model, picked, runs === "now" ? diagnosis : undefined);
  if (model.chains.length === 0) return <Empty title="This job has no vertices" />;
  return (
    <BoardContext.Provider value={board}>
      <section class={`card graph ${still ? "still" : ""}`} aria-label="Graph of the job">
        <header>
          <Tabs as="switch" label="Layer" tabs={layers} value={String(layer)} onPick={(id) => setQuery({ layer: id })} />
          <span class="about secondary small grow">{about}</span>
          {!still && <LoadLegend />}
        </header>
        <div class="stage">
          {layer === 5 ? (
            <GraphTable
              model={model}
              picked={picked.vertex}
              hot={diagnosis?.bottleneck?.vertex}
              runs={runs}
              skewed={diagnosis?.findings.find((f) => f.kind === "skew")?.vertex}
              timed={diagnosis?.watermark.value != null}
              totals={runs === "no more" ? job.vertices : noTotals}
            />
          ) : (
            <Port layout={places} layer={layer} picked={picked} diagnosis={diagnosis} still={still} />
          )}
          {picked.vertex && <VertexPanel job={job.jid} graphs={graphs} vertex={picked.vertex} subtask={picked.subtask} tab={query.tab} onClose={pickNothing} />}
          {picked.edge && <EdgePanel graphs={graphs} edge={picked.edge} onClose={pickNothing} />}
        </div>
      </section>
    </BoardContext.Provider>
  );
}

function layerOf(asked: string | undefined, model: Model): number {
  const layer = Number(asked);
  if (layer >= 1 && layer <= 5) return layer;
  return model.chains.length > mostPictured ? 5 : 1;
}

/** useBoard follows the stream, and asks for the graphs again when a task has come into another state: it may be at another place. */
function useBoard(model: Model, graphs: Graphs, runs: Runs, again: () => void): Board {
  const latest = useRef(again);
  latest.current = again;
  const known = useMemo(() => columnsOf(graphs, nothing), [graphs]);
  const shown = (live: JobLive) => (runs === "now" ? withKnown(live, known) : runs === "no more" ? onlyStates(known) : nothing);
  const board = useMemo(() => new Board(new Numbers(model, shown(jobLive()), runs === "not yet")), [model, runs]);
  useLayoutEffect(() => {
    let asked = 0;
    const states = new Map(graphs.executionGraph.vertices.map((v) => [v.id, v.subtasks.map((s) => s.state)]));
    board.show(board.numbers.with(shown(jobLive())), [...states.keys()]);
    return onFrame((live, changed) => {
      board.show(board.numbers.with(shown(live)), changed);
      const moved = changed.some((id) => live.vertices.get(id)!.state.some((s, i) => s !== states.get(id)?.[i]));
      if (!moved || performance.now() - asked < 900) return;
      asked = performance.now();
      latest.current();
    });
  }, [board, graphs]);
  return board;
}

/** withKnown takes what the graphs say of vertices that no frame has told of yet. */
function withKnown(live: JobLive, known: JobLive): JobLive {
  if (live.vertices.size >= known.vertices.size) return live;
  return { vertices: new Map([...known.vertices, ...live.vertices]), edges: new Map([...known.edges, ...live.edges]) };
}

/** onlyStates leaves out how fast a job was, which counts no more. */
function onlyStates({ vertices }: JobLive): JobLive {
  const none = { busy: [], bp: [], idle: [], in: [], out: [], bytes: [] };
  return { vertices: new Map([...vertices].map(([id, c]) => [id, { ...c, ...none }])), edges: new Map() };
}

/** useGraphKeys has only keys that do something: no edge, no key of edges. */
function useGraphKeys(model: Model, picked: Picked, diagnosis: Diagnosis | undefined): void {
  const nextEdge = () => {
    const at = model.edges.findIndex((e) => e.id === picked.edge);
    const edge = model.edges[(at + 1) % model.edges.length];
    if (edge) pickEdge(edge.id);
  };
  const hot = diagnosis?.bottleneck;
  useKeys("Graph", [
    ...layers.map((l) => ({ key: l.id, does: "stream, job, execution, physical, table", run: () => setQuery({ layer: l.id }) })),
    ...(model.edges.length > 0 ? [{ key: "e", does: "next edge, with its conditions for chaining", run: nextEdge }] : []),
    ...(hot ? [{ key: "b", does: "the bottleneck, at its subtask", run: () => pickVertex(hot.vertex, hot.subtask) }] : []),
    { key: "Escape", does: "close the panel", run: pickNothing, when: () => picked.vertex !== undefined || picked.edge !== undefined },
  ]);
  useEffect(() => {
    if (picked.vertex && !model.chains.some((c) => c.id === picked.vertex)) pickNothing();
  }, [model, picked.vertex]);
}
