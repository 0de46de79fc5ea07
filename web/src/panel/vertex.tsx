import { useMemo } from "preact/hooks";
import { at, type Diagnosis, type Finding, type Graphs, type GraphVertex } from "../api";
import { rate, sentence } from "../fmt";
import type { JobLive } from "../frames";
import { useKeys } from "../keys";
import { pure } from "../pure";
import { setQuery } from "../route";
import { serverNow, useAnswer, useDiagnosis, useFeatures, useFrame, useJobsLive } from "../store";
import { Empty, Letter, Say, Tabs, toneOf, type Tab } from "../ui";
import { arrows } from "../words";
import { markOf, slowest, type Mark } from "./eventtime";
import { FlameTab } from "./flamegraph";
import { Panel } from "./frame";
import { Metrics } from "./metrics";
import { vertexName } from "./names";
import { Operators } from "./operators";
import { Pressure } from "./pressure";
import { rowsOf, sum, type Row } from "./rows";
import { Subtasks } from "./subtasks";
import { Times } from "./times";
import { Watermarks } from "./watermarks";

interface VertexPanelProps {
  job: string;
  graphs: Graphs;
  vertex: string;
  subtask: number | undefined;
  tab: string | undefined;
  onClose: () => void;
}

const names = ["overview", "subtasks", "watermarks", "metrics", "flame", "pressure", "times"] as const;
type Name = (typeof names)[number];

const titles: Record<Name, string> = {
  overview: "Overview",
  subtasks: "Subtasks",
  watermarks: "Watermarks",
  metrics: "Metrics",
  flame: "Flame graph",
  pressure: "Pressure",
  times: "Times",
};

/** VertexPanel is all about one vertex. Who comes for a subtask sees the subtasks first, others the overview. */
export function VertexPanel(props: VertexPanelProps) {
  const vertex = props.graphs.jobGraph.vertices.find((v) => v.id === props.vertex);
  if (vertex) return <Known {...props} of={vertex} />;
  return (
    <Panel label="Vertex" title="Vertex" onClose={props.onClose}>
      <Empty title="The job has no such vertex" />
    </Panel>
  );
}

function Known({ job, graphs, vertex, subtask, tab, onClose, of }: VertexPanelProps & { of: GraphVertex }) {
  const live = useFrame();
  const details = useAnswer(at.vertex(job, vertex), 5_000);
  const diagnosis = useDiagnosis(job);
  const state = useJobsLive().get(job)?.state;
  const now = serverNow() || details.data?.now || 0;
  const columns = live.vertices.get(vertex);
  const rows = useMemo(() => rowsOf(graphs, vertex, columns, details.data, now), [graphs, vertex, columns, details.data, now]);
  const source = of.inputs.length === 0;
  const sink = !source && !graphs.jobGraph.vertices.some((v) => v.inputs.some((i) => i.vertex === vertex));
  // Of a program that does not run there is nothing but what it is.
  const shown: readonly Name[] = useFeatures()?.flott?.plan ? ["overview"] : names;
  const open = shown.find((n) => n === tab) ?? (subtask !== undefined && shown.includes("subtasks") ? "subtasks" : "overview");
  useTabKeys(shown, open);
  const hot = hotIn(diagnosis.data, vertex);
  const shared = { job, graphs, vertex, rows, subtask, source, sink, state };

  return (
    <Panel
      label={vertexName(of.name)}
      mark={<Letter index={of.key} />}
      title={vertexName(of.name)}
      note={noteOf(of, rows, source, sink, details.data?.maxParallelism)}
      onClose={onClose}
      head={
        <>
          <Found diagnosis={diagnosis.data} of={of} />
          <TabsOf shown={shown} open={open} parallelism={of.parallelism} />
        </>
      }
    >
      <div role="tabpanel" aria-label={titles[open]} key={vertex + open}>
        {open === "overview" && <Operators graphs={graphs} vertex={of} live={live} details={details.data} runs={rows.some((r) => r.load)} />}
        {open === "subtasks" && <Subtasks {...shared} hot={hot} />}
        {open === "watermarks" && <Watermarks {...shared} timed={timed(rows, live)} diagnosis={diagnosis.data} markOfVertex={(id) => markOfVertex(live, id, now)} />}
        {open === "metrics" && <Metrics job={job} vertex={vertex} source={source} subtask={subtask ?? hot} parallelism={of.parallelism} />}
        {open === "flame" && <FlameTab {...shared} />}
        {open === "pressure" && <Pressure {...shared} live={live} diagnosis={diagnosis.data} />}
        {open === "times" && <Times {...shared} />}
      </div>
    </Panel>
  );
}

const pick = (name: Name) => setQuery({ tab: name, samples: null });

const TabsOf = pure(({ shown, open, parallelism }: { shown: readonly Name[]; open: Name; parallelism: number }) => {
  const tabs: Tab<Name>[] = shown.map((id) => ({ id, title: titles[id], count: id === "subtasks" ? parallelism : undefined }));
  return <Tabs label="About this vertex" tabs={tabs} value={open} onPick={pick} />;
});

function useTabKeys(all: readonly Name[], open: Name): void {
  const step = (by: number) => pick(all[(all.indexOf(open) + by + all.length) % all.length]!);
  useKeys("Panel", [
    { key: "[", does: "tab of the panel", run: () => step(-1) },
    { key: "]", does: "tab of the panel", run: () => step(1) },
  ]);
}

function noteOf(v: GraphVertex, rows: readonly Row[], source: boolean, sink: boolean, most: number | undefined): string {
  const all = [`parallelism ${v.parallelism}${most ? ` of at most ${most}` : ""}`];
  const [read, sent] = [sum(rows.map((r) => r.in)), sum(rows.map((r) => r.out))];
  if (!source && read !== undefined) all.push(`${rate(read)} in`);
  if (!sink && sent !== undefined) all.push(`${rate(sent)} out`);
  return all.join(", ");
}

/** Found is what the diagnosis says of this vertex, the worst first: only what is wrong, as the job's page says the rest above. */
function Found({ diagnosis, of }: { diagnosis: Diagnosis | undefined; of: GraphVertex }) {
  const finding = diagnosis?.findings.find((f) => f.vertex === of.id && f.level !== "ok");
  if (!finding) return null;
  return (
    <Say tone={toneOf(finding)}>
      <p class="clamp strong" title={`${finding.detail} ${finding.advice}`}>
        {headOf(finding, of)}
        {finding.subtask !== undefined && of.parallelism > 1 && `: subtask ${finding.subtask}`}
      </p>
    </Say>
  );
}

/** headOf does not say the name again that stands above. */
function headOf({ head }: Finding, { name }: GraphVertex): string {
  return sentence(head.startsWith(name) ? "it" + head.slice(name.length) : arrows(head));
}

const hotIn = (d: Diagnosis | undefined, vertex: string): number | undefined => (d?.bottleneck?.vertex === vertex ? d.bottleneck.subtask : undefined);

/** timed says that event time has begun somewhere in the job, or that it is not known yet. */
const timed = (rows: readonly Row[], live: JobLive): boolean =>
  rows.some((r) => r.mark !== "none") || live.vertices.size === 0 || [...live.vertices.values()].some((c) => c.watermark.some((w) => w !== null));

function markOfVertex(live: JobLive, id: string, now: number): Mark {
  return slowest((live.vertices.get(id)?.watermark ?? []).map((w) => markOf(w, now)))?.mark ?? "none";
}
