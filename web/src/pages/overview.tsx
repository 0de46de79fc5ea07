import { useEffect } from "preact/hooks";
import "../css/overview.css";
import { at, ended, type JobRow } from "../api";
import { Cluster } from "../overview/cluster";
import { Ended } from "../overview/ended";
import { Happened } from "../overview/happened";
import { Jobs } from "../overview/jobs";
import { verdict, worstFirst } from "../overview/verdict";
import { useAnswer, useCluster, useFeatures, useJobsLive, useNow, type Answer, type JobsLive } from "../store";
import { useAnnounce, useTitle } from "../title";
import { Card, Dot, Failed, Loading, Show } from "../ui";

const seriesEvery = 10_000;
const managersEvery = 5_000;

/** The Overview says how all jobs fare, and where they run. */
export function Overview() {
  const jobs = useAnswer(at.jobs, seriesEvery);
  if (jobs.data) return <Page rows={jobs.data.jobs} />;
  return (
    <>
      <h1 class="hidden">Overview</h1>
      <Card title="Jobs">{jobs.error ? <Failed what="The jobs" error={jobs.error} again={jobs.again} /> : <Loading />}</Card>
    </>
  );
}

function Page({ rows }: { rows: readonly JobRow[] }) {
  const jobs = live(rows, useJobsLive());
  const now = useNow();
  const { tone, text, title } = verdict(jobs, now);
  useTitle(title);
  useAnnounce(text);
  const features = useFeatures();
  const plan = features?.flott?.plan === true;
  return (
    <>
      <div class="verdict">
        {!plan && <Dot tone={tone} />}
        <h1 class="num">{plan ? "A plan: nothing of this runs" : text}</h1>
      </div>
      <div class={plan ? "" : "overview"}>
        <div class="stack">
          <Jobs jobs={worstFirst(jobs.filter((j) => !ended(j.state)))} />
          <Ended jobs={jobs.filter((j) => ended(j.state))} />
        </div>
        {features && !plan && <Side />}
      </div>
    </>
  );
}

/** live is the rows with what the stream has said since. */
function live(rows: readonly JobRow[], now: JobsLive): JobRow[] {
  return rows.map((row) => {
    const job = now.get(row.jid);
    return job ? { ...row, state: job.state, flott: { ...job, series: row.flott.series } } : row;
  });
}

function Side() {
  const overview = newer(useAnswer(at.overview), useCluster());
  const managers = useAnswer(at.taskManagers, managersEvery);
  const { taskmanagers, "slots-available": free } = overview.data ?? {};
  useEffect(managers.again, [taskmanagers, free]);
  return (
    <aside class="stack" aria-label="Cluster">
      <Show of={overview} what="The cluster">
        {(o) => (
          <>
            <Show of={managers} what="The TaskManagers">
              {(m) => <Cluster overview={o} managers={m.taskmanagers} />}
            </Show>
            <Happened events={o.flott.events} />
          </>
        )}
      </Show>
    </aside>
  );
}

/** newer is an answer, or what the stream has said since. */
const newer = <T,>(answer: Answer<T>, event: T | undefined): Answer<T> => (event ? { ...answer, data: event, error: undefined } : answer);
