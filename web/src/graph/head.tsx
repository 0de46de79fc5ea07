import type { JobDetails, JobState } from "../api";
import { ended } from "../api";
import { age, duration, integer, rate, plural } from "../fmt";
import { JobActions } from "../pages/actions";
import { pagesOf } from "../pages";
import { format } from "../route";
import { useJobsLive, useNow } from "../store";
import { Badge, Dot, Figure, Figures, LinkTabs, Time, type Tone } from "../ui";
import { stateNow } from "../words";

interface Props {
  job: JobDetails;
  tab: string;
  plan: boolean; // of a program that does not run
}

/** JobHead is how a job is called and how it fares, over all of its pages. */
export function JobHead({ job, tab, plan }: Props) {
  const now = useJobsLive().get(job.jid);
  const state = now?.state ?? job.state;
  const flott = now ?? job.flott;
  const tone: Tone = ended(state) && state !== "FAILED" ? "ended" : flott.health;
  const tabs = pagesOf(plan).map((p) => ({ href: format(["job", job.jid, p.id]), title: p.title, current: p.id === tab }));
  return (
    <header class="job-head">
      <div class="row wrap">
        {!plan && <Dot tone={tone} />}
        <h1 class="ellipsis" title={job.name}>
          {job.name}
        </h1>
        <Badge tone={plan ? "plain" : flott.waiting ? "amber" : badgeTone[state]}>{plan ? "Plan" : stateNow(state, flott.waiting)}</Badge>
        {!plan && <Ages job={job} state={state} since={flott.since} />}
        <span class="grow" />
        {!plan && <JobActions id={job.jid} name={job.name} state={state} />}
      </div>
      <div class="row wrap between">
        <LinkTabs label="Pages of the job" tabs={tabs} />
        {!plan && <JobFigures job={job} state={state} flott={flott} />}
      </div>
    </header>
  );
}

const badgeTone: Record<JobState, Tone> = {
  INITIALIZING: "plain",
  CREATED: "plain",
  RUNNING: "green",
  FAILING: "red",
  FAILED: "red",
  CANCELLING: "amber",
  CANCELED: "plain",
  FINISHED: "plain",
  RESTARTING: "amber",
  SUSPENDED: "plain",
  RECONCILING: "plain",
};

function Ages({ job, state, since }: { job: JobDetails; state: JobState; since: number }) {
  const at = useNow() || job.now;
  if (ended(state)) {
    return (
      <span class="secondary ages">
        after {duration(job.duration)}
        {job["end-time"] > 0 && <>, <Time at={job["end-time"]} /></>}
      </span>
    );
  }
  return (
    <span class="secondary num ages">for {age(Math.max(0, at - since))}</span>
  );
}

function JobFigures({ job, state, flott }: { job: JobDetails; state: JobState; flott: JobDetails["flott"] }) {
  const tasks = job.vertices.reduce((n, v) => n + v.parallelism, 0);
  const runs = job.vertices.reduce((n, v) => n + (v.tasks.RUNNING ?? 0), 0);
  const over = ended(state);
  const { lag, lagTrend, restarts } = flott;
  const growing = lagTrend !== null && lagTrend !== undefined && lagTrend > 50;
  return (
    <Figures>
      {!over && <Figure label="Records in" value={rate(flott.recordsPerSecond)} />}
      {!over && (
        <Figure label="Behind event time" value={duration(lag)} note={growing ? `growing ${duration(lagTrend * 60)}/min` : undefined} tone={growing ? "amber" : "plain"} />
      )}
      <Figure label="Last checkpoint" value="off" />
      <Figure label="Tasks" value={over ? integer(tasks) : integer(runs)} note={over ? plural(job.vertices.length, "vertex", "vertices") : `of ${integer(tasks)} running`} />
      <Figure label="Restarts" value={<span title={flott.note}>{integer(restarts)}</span>} />
    </Figures>
  );
}
