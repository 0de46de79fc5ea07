import { at, ended, type JobDetails } from "../api";
import { useKeys } from "../keys";
import { pagesOf } from "../pages";
import { NotFound } from "../pages/notfound";
import { go } from "../route";
import { useAnswer, useDiagnosis, useFeatures } from "../store";
import { useTitle } from "../title";
import { Boundary, Show } from "../ui";
import { DiagnosisBanner } from "./diagnosis";
import { Graph } from "./graph";
import { JobHead } from "./head";
import "./job.css";

interface Props {
  job: string;
  tab: string;
  query: Readonly<Record<string, string>>;
}

const detailsEvery = 5_000;

/** The JobPage is a job: its head, and one of its pages below. */
export function JobPage({ job, tab, query }: Props) {
  const details = useAnswer(at.job(job), detailsEvery);
  const pages = pagesOf(useFeatures()?.flott?.plan === true);
  useKeys("Job", pages.map((p) => ({ key: p.key, does: p.title.toLowerCase(), run: () => go(["job", job, p.id]) })));
  return (
    <Show of={details} what="This job" page>
      {(data) => <Page details={data} tab={tab} query={query} />}
    </Show>
  );
}

function Page({ details, tab, query }: { details: JobDetails; tab: string; query: Props["query"] }) {
  const id = details.jid;
  const plan = useFeatures()?.flott?.plan === true;
  const page = pagesOf(plan).find((p) => p.id === tab);
  useTitle(details.name);
  return (
    <div class="job">
      <JobHead job={details} tab={tab} plan={plan} />
      <Boundary key={tab}>
        {page === undefined ? <NotFound path={`job/${id}/${tab}`} /> : page.view ? page.view(id) : <GraphPage job={details} query={query} plan={plan} />}
      </Boundary>
    </div>
  );
}

function GraphPage({ job, query, plan }: { job: JobDetails; query: Props["query"]; plan: boolean }) {
  const graphs = useAnswer(at.graphs(job.jid));
  const diagnosis = useDiagnosis(job.jid);
  const over = ended(job.state);
  return (
    <>
      {!plan && diagnosis.data && (!over || job.state === "FAILED") && <DiagnosisBanner job={job.jid} layer={query.layer} diagnosis={diagnosis.data} />}
      <Show of={graphs} what="The graph">
        {(data) => <Graph job={job} graphs={data} diagnosis={over ? undefined : diagnosis.data} query={query} runs={plan ? "not yet" : over ? "no more" : "now"} again={graphs.again} />}
      </Show>
    </>
  );
}
