import { pure } from "../pure";
import { Badge, Letter, Named, Table } from "../ui";
import { cutEdges, facts, type Facts } from "./facts";
import type { Runs } from "./graph";
import type { Chain, Edge } from "./model";
import { pickEdge, pickVertex } from "./picked";
import { reasonsOf } from "./reasons";

interface Props extends Facts {
  picked?: string; // vertex
  hot?: string; // vertex
  runs: Runs;
}

/** GraphTable has all that the picture has, as text. */
export const GraphTable = pure((props: Props) => {
  const { model, picked, hot, runs } = props;
  return (
    <div class="graph-table">
      <Table
        label="Vertices of the job"
        rows={model.chains}
        id={(c) => c.id}
        go={(c) => pickVertex(c.id)}
        rowClass={(c) => (c.id === picked ? "picked" : "")}
        columns={[
          { title: "Vertex", cell: (c) => <Name chain={c} hot={c.id === hot} /> },
          ...facts[runs](props),
          { title: "Receives from", cell: (c) => <Inputs edges={cutEdges(model).filter((e) => e.to.chain === c)} /> },
        ]}
      />
    </div>
  );
});

const Name = ({ chain, hot }: { chain: Chain; hot: boolean }) => (
  <span class="row nowrap">
    <Letter index={chain.key} />
    <button type="button" class="plain strong" onClick={() => pickVertex(chain.id)}>
      <Named name={chain.name} />
    </button>
    {hot && <Badge tone="hot">bottleneck</Badge>}
  </span>
);

function Inputs({ edges }: { edges: Edge[] }) {
  if (edges.length === 0) return <span class="quiet small">source</span>;
  return (
    <ul class="small nowrap">
      {edges.map((e) => (
        <li key={e.id}>
          <button type="button" class="plain link" onClick={() => pickEdge(e.id)}>
            <Named name={e.from.name} /> {e.partitioner}
          </button>{" "}
          <span class="quiet">{e.stream ? `not chained: ${reasonsOf(e)}` : "not chained"}</span>
        </li>
      ))}
    </ul>
  );
}
