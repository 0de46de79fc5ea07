import type { Graphs, GraphVertex, StreamEdge, StreamNode, VertexDetails } from "../api";
import type { JobLive } from "../frames";
import { integer, plural, rate, unknown } from "../fmt";
import { setQuery } from "../route";
import { Badge, Icon } from "../ui";
import { operatorName } from "./names";
import { VertexLink } from "./pressure";
import { Pair } from "./subtasks";

interface OperatorsProps {
  graphs: Graphs;
  vertex: GraphVertex;
  live: JobLive;
  details: VertexDetails | undefined;
  /** Some subtask does. */
  runs: boolean;
}

/** Operators is what the vertex is made of: the operators of its chain, where the program declares them, and what connects them. */
export function Operators({ graphs, vertex, live, details, runs }: OperatorsProps) {
  const nodes = vertex.operators.flatMap((id) => graphs.streamGraph?.nodes.filter((n) => n.id === id) ?? []);
  return (
    <>
      <section class="section" aria-label="Operators">
        {nodes.length > 0 ? (
          <ol class="operators">
            {nodes.map((n) => (
              <Operator key={n.id} node={n} rate={runs ? live.edges.get(n.id) : undefined} called={calls(graphs, vertex, n)} nodes={nodes} />
            ))}
          </ol>
        ) : (
          <p class="secondary">The job came without its stream graph, so what stands in this vertex is known by name only: {vertex.name}.</p>
        )}
      </section>
      <section class="section" aria-label="Exchanges">
        <Exchanges graphs={graphs} vertex={vertex} />
      </section>
      <section class="section" aria-label="Settings">
        <dl class="pairs small">
          <Pair name="Parallelism">
            {vertex.parallelism}
            {details && ` of at most ${integer(details.maxParallelism)}`}
          </Pair>
          <Pair name="Slot group">{vertex.slotSharingGroup}</Pair>
          <Pair name="Region">{regionOf(graphs, vertex.id)}</Pair>
          <Pair name="Runs on">{placesOf(graphs, vertex.id)}</Pair>
          <Pair name="Id">
            <span class="mono">{vertex.id}</span>
          </Pair>
        </dl>
      </section>
    </>
  );
}

interface OperatorProps {
  node: StreamNode;
  rate: number | undefined;
  /** The edges to those that it calls. */
  called: StreamEdge[];
  /** All operators of the chain. */
  nodes: readonly StreamNode[];
}

function Operator({ node: n, rate: out, called, nodes }: OperatorProps) {
  return (
    <li>
      <div class="row">
        <h3 class="ellipsis" title={operatorName(n.name)}>
          {operatorName(n.name)}
        </h3>
        <Badge>{n.kind}</Badge>
        <span class="grow" />
        {n.declaredAt && <code class="secondary">{n.declaredAt}</code>}
      </div>
      {n.description && n.description !== n.name && <p class="small secondary">{n.description}</p>}
      <p class="small quiet">{facts(n).join(" · ")}</p>
      {n.kind !== "sink" && out !== undefined && <p class="small num">{rate(out)} out</p>}
      {called.map((e) => (
        <button key={e.id} type="button" class="joint small" onClick={() => setQuery({ edge: e.id, vertex: null, subtask: null, tab: null })}>
          <Icon name="link" size={12} /> calls {operatorName(nodes.find((to) => to.id === e.target)?.name ?? "")}
          {e.outputTag !== null && `, side output ${e.outputTag}`}
        </button>
      ))}
    </li>
  );
}

function facts(n: StreamNode): string[] {
  const all = [n.uid === null ? (n.state ? "no uid: a savepoint may not find its state again" : "no uid") : `uid ${n.uid}`];
  if (n.state) all.push(`keeps ${n.state}`);
  if (n.chainingStrategy !== "ALWAYS") all.push(`chaining ${n.chainingStrategy}`);
  return all;
}

/** calls is the edges on which an operator calls another one of its chain. */
const calls = (graphs: Graphs, vertex: GraphVertex, n: StreamNode): StreamEdge[] =>
  graphs.streamGraph?.edges.filter((e) => e.chain.chained && e.source === n.id && vertex.operators.includes(e.target)) ?? [];

/** Exchanges is the edges that lead in and out. */
function Exchanges({ graphs, vertex }: { graphs: Graphs; vertex: GraphVertex }) {
  const outputs = graphs.jobGraph.vertices.flatMap((v) => v.inputs.filter((i) => i.vertex === vertex.id).map((input) => ({ input, other: v.id })));
  return (
    <dl class="pairs small">
      <Pair name="Reads">
        {vertex.inputs.length === 0 && "nothing: it is a source"}
        {vertex.inputs.map((input) => (
          <Exchange key={input.edge} graphs={graphs} id={input.edge} other={input.vertex} text={`${input.shipStrategy}, ${plural(input.channels, "channel")}`} />
        ))}
      </Pair>
      <Pair name="Sends">
        {outputs.length === 0 && "nothing: it is a sink"}
        {outputs.map(({ input, other }) => (
          <Exchange key={input.edge} graphs={graphs} id={input.edge} other={other} text={`${input.shipStrategy}, ${plural(input.channels, "channel")}`} />
        ))}
      </Pair>
    </dl>
  );
}

const Exchange = ({ graphs, id, other, text }: { graphs: Graphs; id: string; other: string; text: string }) => (
  <span class="row wrap">
    <VertexLink graphs={graphs} id={other} />
    <button type="button" class="link-button" onClick={() => setQuery({ edge: id, vertex: null, subtask: null, tab: null })}>
      {text}
    </button>
  </span>
);

function regionOf(graphs: Graphs, id: string): string {
  const regions = graphs.executionGraph.regions.filter((r) => r.vertices.includes(id));
  if (regions.length === 0) return unknown;
  if (regions.length > 1) return `${regions.length} regions: a failure restarts only its own`;
  return regions[0]!.vertices.length === graphs.jobGraph.vertices.length
    ? "the whole job: a failure restarts all of it"
    : `with ${plural(regions[0]!.vertices.length - 1, "other vertex", "other vertices")}: a failure restarts them all`;
}

function placesOf(graphs: Graphs, id: string): string {
  const subtasks = graphs.executionGraph.vertices.find((v) => v.id === id)?.subtasks ?? [];
  const slots = subtasks.filter((s) => s.taskManager && s.taskManager !== "(unassigned)");
  const managers = new Set(slots.map((s) => s.taskManager));
  return managers.size === 0 ? "no TaskManager" : `${plural(managers.size, "TaskManager")}, ${plural(new Set(slots.map((s) => `${s.taskManager} ${s.slot}`)).size, "slot")}`;
}
