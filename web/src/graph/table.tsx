import { useRef } from "preact/hooks";
import { bytes, count, duration, percent, rate } from "../fmt";
import { serverNow } from "../store";
import { Badge, Letter, Named, Table } from "../ui";
import { usePaint, write } from "./board";
import { bytesOut, rateIn, rateOut, running, skew, watermark } from "./figures";
import type { Chain, Edge, Model } from "./model";
import type { Numbers } from "./numbers";
import { pickEdge, pickVertex, type Picked } from "./picked";
import { pure } from "./pure";
import { reasonsOf } from "./reasons";
import { barsOf, setBars } from "./style";

interface Props {
  model: Model;
  picked: Picked;
  hot?: string; // vertex
}

const skewedFrom = 1.5;

/** GraphTable has all that the picture has, as text. */
export const GraphTable = pure(({ model, picked, hot }: Props) => {
  const number = (title: string, text: (chain: Chain, now: Numbers) => string) => ({
    title,
    number: true,
    cell: (c: Chain) => <Live chain={c} text={(now) => text(c, now)} />,
  });
  return (
    <div class="graph-table">
      <Table
        label="Vertices of the job"
        rows={model.chains}
        id={(c) => c.id}
        go={(c) => pickVertex(c.id)}
        rowClass={(c) => (c.id === picked.vertex ? "picked" : "")}
        columns={[
          { title: "Vertex", cell: (c) => <Name chain={c} hot={c.id === hot} /> },
          number("Tasks", (c, now) => `${running(now.columns(c))} of ${c.parallelism}`),
          { title: "Busiest subtask", cell: (c) => <Busiest chain={c} /> },
          number("Blocked", (c, now) => percent(now.columns(c) && now.pressure(c) / 1000)),
          number("In", (c, now) => rate(rateIn(now.columns(c)))),
          number("Out", (c, now) => rate(rateOut(now.columns(c)))),
          number("Bytes out", (c, now) => bytes(bytesOut(now.columns(c))) + "/s"),
          number("Behind", (c, now) => behind(watermark(now.columns(c)))),
          { title: "Skew", number: true, cell: (c) => <Skew chain={c} /> },
          { title: "Receives from", cell: (c) => <Inputs edges={model.edges.filter((e) => !e.chained && e.to.chain === c)} /> },
        ]}
      />
    </div>
  );
});

/** behind is how far event time is behind the clock. The last watermark of all is not behind anything. */
const behind = (mark: number | undefined): string =>
  mark === undefined || mark > serverNow() + 1e12 ? "–" : duration(Math.max(0, serverNow() - mark));

function Live({ chain, text }: { chain: Chain; text: (now: Numbers) => string }) {
  const element = useRef<HTMLSpanElement>(null);
  usePaint(chain, (now) => write(element.current, text(now)), [chain]);
  return <span ref={element} class="num nowrap" />;
}

const Name = ({ chain, hot }: { chain: Chain; hot: boolean }) => (
  <span class="row nowrap">
    <Letter index={chain.key} />
    <button type="button" class="plain strong" onClick={() => pickVertex(chain.id)}>
      <Named name={chain.name} />
    </button>
    {hot && <Badge tone="hot">bottleneck</Badge>}
  </span>
);

function Busiest({ chain }: { chain: Chain }) {
  const element = useRef<HTMLSpanElement>(null);
  usePaint(
    chain,
    (now) => {
      const load = now.busiest(chain);
      const [bars, text] = element.current!.children;
      setBars(bars as HTMLElement, Math.round((load?.busy ?? 0) / 10), Math.round((load?.bp ?? 0) / 10));
      write(text, load ? `${percent(load.busy / 1000)} (${load.subtask})` : "–");
    },
    [chain],
  );
  return (
    <span ref={element} class="row nowrap">
      {barsOf("in-table")}
      <span class="num small" />
    </span>
  );
}

function Skew({ chain }: { chain: Chain }) {
  const element = useRef<HTMLSpanElement>(null);
  usePaint(
    chain,
    (now) => {
      const times = skew(now.columns(chain));
      write(element.current, times === undefined ? "–" : `×${count(times)}`);
      element.current!.classList.toggle("text-hot", times !== undefined && times >= skewedFrom);
    },
    [chain],
  );
  return <span ref={element} class="num" />;
}

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
