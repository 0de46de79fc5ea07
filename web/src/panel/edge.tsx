import type { ComponentChildren } from "preact";
import type { ChainCheck, GraphInput, Graphs, StreamEdge, StreamNode } from "../api";
import type { JobLive } from "../frames";
import { bytes, plural, rate, unknown } from "../fmt";
import { useFrame } from "../store";
import { Empty, Icon } from "../ui";
import { Panel } from "./frame";
import { operatorName } from "./names";
import { VertexLink } from "./pressure";
import { Pair } from "./subtasks";

interface EdgePanelProps {
  graphs: Graphs;
  /** Its id in the stream graph. */
  edge: string;
  onClose: () => void;
}

/** EdgePanel is all about one edge: how records are dealt out, and whether and why they leave the task. */
export function EdgePanel({ graphs, edge: id, onClose }: EdgePanelProps) {
  const live = useFrame();
  const edge = graphs.streamGraph?.edges.find((e) => e.id === id);
  const input = inputOf(graphs, id);
  const ends = edge && endsOf(graphs, edge);
  if (!edge || !ends) {
    return (
      <Panel label="Edge" title={input ? exchangeTitle(graphs, input) : "Edge"} onClose={onClose}>
        {input ? <Exchange edge={undefined} input={input} bytesOut={bytesOf(graphs, live, input)} /> : <Empty title="The job has no such edge" />}
      </Panel>
    );
  }
  const [from, to] = ends;
  const records = live.edges.get(edge.source) ?? edge.rate;
  const tag = edge.outputTag === null ? "" : `, side output ${edge.outputTag}`;
  return (
    <Panel label={`Edge from ${from.name} to ${to.name}`} title={`${operatorName(from.name)} → ${operatorName(to.name)}`} note={edge.partitioner + (records === undefined ? "" : `, ${rate(records)}`) + tag} onClose={onClose}>
      <Conditions edge={edge} from={from} to={to} />
      {input && <Exchange edge={edge} input={input} bytesOut={bytesOf(graphs, live, input)} />}
      <Declared graphs={graphs} nodes={[from, to]} />
    </Panel>
  );
}

function endsOf(graphs: Graphs, e: StreamEdge): [StreamNode, StreamNode] | null {
  const node = (id: number) => graphs.streamGraph?.nodes.find((n) => n.id === id);
  const [from, to] = [node(e.source), node(e.target)];
  return from && to ? [from, to] : null;
}

/** An Input with the vertex that reads it. */
interface Read extends GraphInput {
  reader: string;
}

function inputOf(graphs: Graphs, edge: string): Read | undefined {
  const all = graphs.jobGraph.vertices.flatMap((v) => v.inputs.map((i) => ({ ...i, reader: v.id })));
  return all.find((i) => i.edge === edge);
}

function exchangeTitle(graphs: Graphs, i: Read): string {
  const name = (id: string) => graphs.jobGraph.vertices.find((v) => v.id === id)?.name ?? id;
  return `${name(i.vertex)} → ${name(i.reader)}`;
}

/** bytesOf is what goes over the edge: counted by vertex, so that it is known only where a vertex has one edge that leads out. */
function bytesOf(graphs: Graphs, live: JobLive, input: Read): number | undefined {
  const out = graphs.jobGraph.vertices.flatMap((v) => v.inputs.filter((i) => i.vertex === input.vertex));
  return out.length === 1 ? live.vertices.get(input.vertex)?.bytes.reduce((a, b) => a + b, 0) : undefined;
}

/** Conditions is why the edge is or is not a function call: the compiler's own conditions in its order, those that fail first. */
function Conditions({ edge, from, to }: { edge: StreamEdge; from: StreamNode; to: StreamNode }) {
  const { chained, checks } = edge.chain;
  const failed = checks.filter((c) => !c.ok);
  return (
    <section class="section" aria-label={chained ? "Chained" : "Not chained"}>
      <h3 class="row">
        <Icon name={chained ? "link" : "cut"} />
        {chained ? "Chained" : "Not chained"}
      </h3>
      <p class="secondary">{chained ? saved(from) : `${failed.length} of ${plural(checks.length, "condition")} ${failed.length === 1 ? "fails" : "fail"}, so records leave the task of ${operatorName(from.name)} for that of ${operatorName(to.name)}.`}</p>
      <ul class="conditions">
        {[...failed, ...checks.filter((c) => c.ok)].map((c) => (
          <Condition key={c.rule} check={c} />
        ))}
      </ul>
    </section>
  );
}

const saved = (from: StreamNode): string =>
  `Both run in one task; a record passes by a function call. That saves ${plural(from.parallelism, "task")}, and for each record encoding it, a channel and decoding it.`;

const rules: Record<string, string> = {
  "chaining-enabled": "Chaining is switched on",
  "slot-sharing-group": "Same slot sharing group",
  "no-yield-to-legacy-source": "The receiver does not yield to a legacy source",
  "up-strategy": "The sender may be chained to",
  "down-strategy": "The receiver may chain to its input",
  "same-parallelism": "Same parallelism",
  "same-max-parallelism": "Same max parallelism",
  forward: "The partitioner is FORWARD",
  "exchange-mode": "Both run at the same time",
  "no-union": "The input is no union",
  "one-input": "The receiver has one input",
  "one-reader": "The sender has one reader",
};

const Condition = ({ check }: { check: ChainCheck }) => (
  <li class={check.ok ? "holds" : "fails"}>
    <Icon name={check.ok ? "check" : "close"} size={14} />
    <div>
      <span class="hidden">{check.ok ? "Holds:" : "Fails:"} </span>
      {rules[check.rule] ?? check.rule}
      {check.detail && <p class="small secondary">{check.detail}</p>}
    </div>
  </li>
);

/** Exchange is how records go from task to task. */
function Exchange({ edge, input, bytesOut }: { edge: StreamEdge | undefined; input: Read; bytesOut: number | undefined }) {
  return (
    <section class="section" aria-label="Exchange">
      <dl class="pairs small">
        <Pair name="Dealt out">
          {input.shipStrategy}, {distributions[input.distribution] ?? input.distribution}
        </Pair>
        <Pair name="Channels">{plural(input.channels, "channel")}</Pair>
        <Pair name="Result">{input.resultType}</Pair>
        <Pair name="Bytes">{bytesOut === undefined ? `${unknown} (counted for all that leaves the vertex)` : bytes(bytesOut) + "/s"}</Pair>
        {edge && (
          <>
            <Pair name="Buffers">{edge.bufferTimeoutMs < 0 ? "sent when full" : edge.bufferTimeoutMs === 0 ? "sent after each record" : `sent when full, or after ${edge.bufferTimeoutMs} ms`}</Pair>
            {edge.typeNumber > 0 && <Pair name="Input">{edge.typeNumber}</Pair>}
          </>
        )}
      </dl>
    </section>
  );
}

const distributions: Record<string, string> = { ALL_TO_ALL: "all to all", POINTWISE: "each to some" };

/** Declared is both ends, where the program has them. */
function Declared({ graphs, nodes }: { graphs: Graphs; nodes: readonly StreamNode[] }) {
  return (
    <section class="section" aria-label="In your program">
      <p class="caption">In your program</p>
      <ul class="declared small">
        {nodes.map((n) => (
          <li key={n.id}>
            <End graphs={graphs} node={n}>
              {operatorName(n.name)}, {n.kind}, parallelism {n.parallelism}, chaining {n.chainingStrategy}
            </End>
          </li>
        ))}
      </ul>
    </section>
  );
}

function End({ graphs, node, children }: { graphs: Graphs; node: StreamNode; children: ComponentChildren }) {
  const vertex = graphs.jobGraph.vertices.find((v) => v.operators.includes(node.id));
  return (
    <>
      <div class="row">
        <code>{node.declaredAt || unknown}</code>
        <span>{children}</span>
      </div>
      {vertex && <VertexLink graphs={graphs} id={vertex.id} />}
    </>
  );
}
