import { useMemo } from "preact/hooks";
import type { SubtaskTimes, TaskState } from "../api";
import { at } from "../api";
import { clockExact, duration, plural, unknown } from "../fmt";
import { setQuery } from "../route";
import { useAnswer } from "../store";
import { Badge, Empty, Show } from "../ui";
import { taskWord } from "../words";
import { LongTable, type LongColumn } from "./longtable";
import type { Row } from "./rows";
import { barsOf, stepsOf, type Steps } from "./steps";
import { toneOf } from "./subtasks";

/** Times is when each subtask came into which state. */
export function Times({ job, vertex, rows, subtask }: { job: string; vertex: string; rows: readonly Row[]; subtask: number | undefined }) {
  const times = useAnswer(at.subtaskTimes(job, vertex), 10_000);
  return (
    <Show of={times} what="The times of the subtasks">
      {(data) => <Table data={data} rows={rows} subtask={subtask} />}
    </Show>
  );
}

function progress(all: readonly Steps[], from: number): string {
  const running = all.flatMap((t) => t.running ?? []);
  if (running.length < all.length) return `${running.length} of ${plural(all.length, "subtask")} came to run.`;
  return `${all.length === 1 ? "It" : "The last one"} ran ${duration(Math.max(...running) - from)} later.`;
}

interface Timed {
  steps: Steps;
  state: TaskState;
}

function Table({ data, rows, subtask }: { data: SubtaskTimes; rows: readonly Row[]; subtask: number | undefined }) {
  const all = useMemo(() => data.subtasks.map(stepsOf), [data]);
  const begun = all.filter((t) => t.from > 0);
  if (begun.length === 0) return <Empty title="No subtask has been scheduled yet" />;
  const from = Math.min(...begun.map((t) => t.from));
  const to = Math.max(from + 1, ...all.map((t) => t.running ?? t.end ?? data.now));
  return (
    <>
      <div class="body">
        <p class="small secondary">
          The first was scheduled at {clockExact(from)}. {progress(all, from)}
        </p>
      </div>
      <LongTable
        label="When each subtask came into which state"
        columns={columnsOf(from, to, data.now)}
        rows={all.map((steps): Timed => ({ steps, state: rows[steps.subtask]?.state ?? steps.state }))}
        id={({ steps }) => steps.subtask}
        picked={subtask}
        onPick={(n) => setQuery({ subtask: n })}
      />
      <div class="body">
        <p class="legend">
          <span class="key"><i class="scheduled" />waits for a slot</span>
          <span class="key"><i class="deploying" />deploying</span>
          <span class="key"><i class="initializing" />initializing</span>
        </p>
      </div>
    </>
  );
}

const columnsOf = (from: number, to: number, now: number): LongColumn<Timed>[] => [
  { title: "#", width: 48, by: ({ steps }) => steps.subtask, cell: ({ steps }) => steps.subtask },
  { title: "State", width: 88, by: ({ steps }) => steps.state, cell: ({ state }) => <Badge tone={toneOf(state)}>{taskWord(state)}</Badge> },
  { title: "Scheduled", width: 104, number: true, by: ({ steps }) => steps.from || null, cell: ({ steps }) => (steps.from ? clockExact(steps.from) : unknown) },
  { title: "Start", width: 66, hint: "From scheduled to running", number: true, by: ({ steps }) => took(steps), cell: ({ steps }) => duration(took(steps)) },
  { title: "The way to running", width: 150, class: "start", cell: ({ steps }) => <Way steps={steps} from={from} to={to} now={now} /> },
  { title: "Ran for", width: 92, number: true, by: ({ steps }) => ran(steps, now), cell: ({ steps }) => duration(ran(steps, now)) },
];

const took = (t: Steps): number | null => (t.running && t.from ? t.running - t.from : null);

const ran = (t: Steps, now: number): number | null => (t.running ? (t.end ?? now) - t.running : null);

function Way({ steps, from, to, now }: { steps: Steps; from: number; to: number; now: number }) {
  const bars = barsOf(steps, now);
  const part = (ms: number) => `${(ms / (to - from)) * 100}%`;
  return (
    <span class="timeline" role="img" aria-label={bars.map((b) => `${words[b.state]} ${duration(b.to - b.from)}`).join(", ")}>
      {bars.map((b) => (
        <i key={b.state} class={b.state.toLowerCase()} style={{ left: part(b.from - from), width: part(b.to - b.from) }} />
      ))}
    </span>
  );
}

const words: Partial<Record<TaskState, string>> = { SCHEDULED: "waits for a slot", DEPLOYING: "deploying", INITIALIZING: "initializing" };
