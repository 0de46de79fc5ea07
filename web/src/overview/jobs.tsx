import type { JobFlott, JobRow } from "../api";
import { age, count, duration, integer, rate } from "../fmt";
import { format, go } from "../route";
import { useFeatures, useNow } from "../store";
import { Badge, Card, Command, Dot, Empty, Spark, Table, type Column, type Tone } from "../ui";
import { arrows, stateNow } from "../words";

/** Jobs are those that are not over, the worst first. */
export function Jobs({ jobs }: { jobs: readonly JobRow[] }) {
  const now = useNow();
  const plan = useFeatures()?.flott?.plan === true;
  const sum = jobs.reduce((all, j) => all + j.flott.recordsPerSecond, 0);
  const side = jobs.length > 1 && !plan && <span class="secondary small num">{rate(sum)} in all</span>;
  return (
    <Card title="Jobs" note={jobs.length > 1 ? "worst first" : undefined} side={side}>
      {jobs.length === 0 ? (
        <NoJobs />
      ) : (
        <Table
          label="Jobs"
          class="jobs cards"
          columns={plan ? planned : columns(now)}
          rows={jobs}
          id={(j) => j.jid}
          go={(j) => go(["job", j.jid])}
          rowClass={(j) => (plan ? "" : j.flott.health)}
        />
      )}
    </Card>
  );
}

const NoJobs = () => (
  <Empty title="How to start one">
    <p class="why">DIR is a folder with a Go program, or its executable. This runs it here:</p>
    <Command line={`flott run -m ${location.host} DIR`} />
    <p class="why">This only shows its graphs:</p>
    <Command line="flott plan DIR" />
  </Empty>
);

const columns = (now: number): Column<JobRow>[] => [
  { title: "Job", class: "first", cell: (j) => <Name job={j} /> },
  { title: "State", cell: (j) => <State job={j} now={now} /> },
  { title: "Records/s, last minutes", short: "Records per second", cell: (j) => <Records of={j.flott} /> },
  { title: "Behind", short: "Behind event time", cell: (j) => <Behind of={j.flott} /> },
  { title: "Restarts", number: true, cell: (j) => <span class={j.flott.restarts ? "" : "quiet"}>{integer(j.flott.restarts)}</span> },
  { title: "Tasks", number: true, class: "nowrap", cell: (j) => <Tasks of={j.tasks} /> },
];

/** planned is what there is to say of jobs that do not run. */
const planned: readonly Column<JobRow>[] = [
  { title: "Job", cell: (j) => <Title job={j} /> },
  { title: "Tasks", number: true, cell: (j) => integer(j.tasks.total) },
];

const Title = ({ job }: { job: JobRow }) => (
  <div class="row">
    <a class="title clamp" href={format(["job", job.jid])} title={job.name}>
      {job.name}
    </a>
    {job.jobType === "BATCH" && <Badge>batch</Badge>}
  </div>
);

function Name({ job }: { job: JobRow }) {
  const why = reason(job.flott);
  return (
    <div class="name">
      <Dot tone={job.flott.health} />
      <div>
        <Title job={job} />
        {why && (
          <p class="why clamp" title={why}>
            {why}
          </p>
        )}
      </div>
    </div>
  );
}

/** reason is one sentence: what a job waits for is why it does not run. */
const reason = (of: JobFlott): string => arrows(of.waiting ? `Waits: ${of.waiting}` : of.reason);

function State({ job, now }: { job: JobRow; now: number }) {
  const running = job.state === "RUNNING" && !job.flott.waiting;
  const since = now > 0 ? now - job["start-time"] : job.duration;
  return (
    <>
      <span class={running ? "" : toneText(job.flott.health)}>{stateNow(job.state, job.flott.waiting)}</span>
      <div class="quiet small nowrap num">{age(since)}</div>
    </>
  );
}

const toneText = (tone: Tone): string => (tone === "red" || tone === "amber" ? `text-${tone}` : "");

/** The line of a job that makes no progress is red, as are the numbers that say so. */
function Records({ of }: { of: JobFlott }) {
  const still = of.health === "red" && of.recordsPerSecond === 0;
  return (
    <div class="pair">
      <Spark points={of.series?.rps ?? []} format={rate} tone={of.health === "red" ? "red" : "plain"} />
      <span class={`num nowrap ${still ? "text-red strong" : ""}`}>{rate(of.recordsPerSecond)}</span>
    </div>
  );
}

/** behindFrom is from when on a lag that grows is worth a colour. */
const behindFrom = 10_000;

function Behind({ of }: { of: JobFlott }) {
  const grows = (of.lag ?? 0) > behindFrom && (of.lagTrend ?? 0) > 0;
  const tone: Tone = grows ? (of.health === "red" ? "red" : "amber") : "plain";
  return (
    <div class="pair">
      <span class={`num nowrap figure-text ${toneText(tone)}`}>{duration(of.lag)}</span>
      <span class="wide-only">
        <Spark points={of.series?.lag ?? []} format={duration} tone={tone} width={56} height={20} max={1000} />
      </span>
    </div>
  );
}

/** Tasks is how many of all run; the rest wait, or have finished. */
const Tasks = ({ of }: { of: JobRow["tasks"] }) => (
  <span class="num">
    {count(of.running ?? 0)}
    <span class="quiet"> of {count(of.total)}</span>
  </span>
);
