import { useState } from "preact/hooks";
import type { JobRow, JobState } from "../api";
import { duration, integer, sentence } from "../fmt";
import { format, go } from "../route";
import { Card, Dot, Table, Time, type Column } from "../ui";
import { arrows, stateWord } from "../words";

const atFirst = 5;

/** Ended are the jobs that are over, the newest first; the older ones are folded. */
export function Ended({ jobs }: { jobs: readonly JobRow[] }) {
  const [all, showAll] = useState(false);
  if (jobs.length === 0) return null;
  const sorted = [...jobs].sort((a, b) => b["end-time"] - a["end-time"]);
  return (
    <Card title="Ended" note={counts(jobs)}>
      <Table
        label="Ended jobs"
        class="ended cards"
        columns={columns}
        rows={all ? sorted : sorted.slice(0, atFirst)}
        id={(j) => j.jid}
        go={(j) => go(["job", j.jid])}
      />
      {!all && jobs.length > atFirst && (
        <div class="more">
          <button type="button" class="button" onClick={() => showAll(true)}>
            Show all {integer(jobs.length)}
          </button>
        </div>
      )}
    </Card>
  );
}

const order: readonly JobState[] = ["FAILED", "CANCELED", "FINISHED"];

/** counts is how they ended: "1 failed, 3 finished". */
const counts = (jobs: readonly JobRow[]): string =>
  order
    .map((state) => [jobs.filter((j) => j.state === state).length, stateWord(state).toLowerCase()] as const)
    .filter(([n]) => n > 0)
    .map(([n, word]) => `${integer(n)} ${word}`)
    .join(", ");

const Cause = ({ of }: { of: string }) => (
  <p class="clamp secondary small" title={of}>
    {arrows(sentence(of))}
  </p>
);

const columns: readonly Column<JobRow>[] = [
  {
    title: "Job",
    class: "first",
    cell: (j) => (
      <div class="name">
        <Dot tone={j.state === "FAILED" ? "red" : "ended"} label="" />
        <a class="strong clamp" href={format(["job", j.jid])} title={j.name}>
          {j.name}
        </a>
      </div>
    ),
  },
  { title: "Ended as", cell: (j) => <span class={j.state === "FAILED" ? "text-red" : ""}>{stateWord(j.state)}</span> },
  { title: "Ran for", class: "nowrap", cell: (j) => <span class="secondary num">{duration(j.duration)}</span> },
  { title: "Why", class: "failure", cell: (j) => j.state === "FAILED" && <Cause of={j.flott.reason.replace(/^the job failed: /i, "")} /> },
  { title: "When", number: true, class: "nowrap", cell: (j) => <span class="quiet"><Time at={j["end-time"]} /></span> },
];
