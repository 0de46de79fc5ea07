// The failures of a job, newest first: what was wrong in words, whose code it was, what was started again, and when it ran again.

import "../css/pages.css";
import "../css/exceptions.css";
import type { ComponentChildren } from "preact";
import { at, ended, type ExceptionEntry, type ExceptionInfo, type JobDetails } from "../api";
import { clock, moment, plural } from "../fmt";
import { setQuery, useRoute } from "../route";
import { useAnswer } from "../store";
import { Card, Dot, Empty, Show, Time, type Tone } from "../ui";
import { stateWord } from "../words";
import { Concurrent, RootCause } from "../failures/cause";
import { headOf, taskOf } from "../failures/causetext";
import { Restarted } from "../failures/restarted";
import { oftenText, runsOf, type Run } from "../failures/runs";

export function Exceptions({ job }: { job: string }) {
  const details = useAnswer(at.job(job));
  const over = details.data !== undefined && ended(details.data.state);
  const failures = useAnswer(at.exceptions(job), over ? undefined : 5_000);
  return (
    <Show of={details} what="This job">
      {(now) => (
        <Show of={failures} what="The failures of this job">
          {({ exceptionHistory: { entries, truncated } }) =>
            entries.length === 0 ? <None job={now} /> : <History job={now} entries={entries} truncated={truncated} />
          }
        </Show>
      )}
    </Show>
  );
}

function None({ job }: { job: JobDetails }) {
  return (
    <Card title="Failures">
      <Empty title="No failures">
        {ended(job.state) ? (
          <p>Nothing failed while this job ran.</p>
        ) : (
          <p>
            Nothing has failed since this job started <Time at={job["start-time"]} />.
          </p>
        )}
      </Empty>
    </Card>
  );
}

interface HistoryProps {
  job: JobDetails;
  entries: ExceptionEntry[];
  truncated: boolean;
}

/** The URL says which failure is shown: by its time, as its place in the list changes with each new one. */
function History({ job, entries, truncated }: HistoryProps) {
  const wanted = Number(useRoute().query.at);
  const shown = entries.find((e) => e.timestamp === wanted) ?? entries[0]!;
  const runs = runsOf(entries);
  return (
    <div class="chooser failures">
      <Card title="Failures" side={<span class="quiet small">{plural(entries.length, "failure")}</span>}>
        <ol class="choices">
          <Now job={job} />
          {runs.map((run, i) => (
            <Again key={runs.length - i} run={run} shown={shown} />
          ))}
        </ol>
        {truncated && <p class="failure-note">Older failures are not kept: a job remembers its newest {entries.length}.</p>}
      </Card>
      <div class="stack">
        <RootCause e={shown} />
        <Restarted e={shown} job={job} />
        {shown.concurrentExceptions.length > 0 && <Concurrent e={shown} />}
      </div>
    </div>
  );
}

const stateTone = (state: JobDetails["state"]): Tone => {
  if (state === "RUNNING") return "green";
  if (state === "FAILED") return "red";
  return ended(state) ? "ended" : "amber";
};

/** Now is how the job is after all of them. */
function Now({ job }: { job: JobDetails }) {
  return (
    <li class="failure-now">
      <Dot tone={stateTone(job.state)} label="" />
      <b>{stateWord(job.state)}</b>
      <span class="grow" />
      <span class="quiet small">
        since <Time at={job.timestamps[job.state]} as="clock" />
      </span>
    </li>
  );
}

/** Again is a failure, and how often it came again: the older ones are folded, unless one of them is shown. */
function Again({ run, shown }: { run: Run; shown: ExceptionEntry }) {
  const [newest, ...older] = run;
  return (
    <li>
      <Choice e={newest} current={newest === shown}>
        <span class="failure-head clamp">{headOf(newest)}</span>
        <span class="quiet small clamp" title={whoseOf(newest)}>
          {whoseOf(newest)}
        </span>
      </Choice>
      {older.length > 0 && (
        <details class="again" open={older.includes(shown)}>
          <summary>{oftenText(run)}</summary>
          {older.map((e) => (
            <Choice key={e.timestamp} e={e} current={e === shown} />
          ))}
        </details>
      )}
    </li>
  );
}

function Choice({ e, current, children }: { e: ExceptionEntry; current: boolean; children?: ComponentChildren }) {
  return (
    <button type="button" aria-pressed={current} onClick={() => setQuery({ at: e.timestamp })}>
      <span class="row">
        <Dot tone="red" label="" />
        <b>{attemptOf(e)}</b>
        <span class="grow" />
        <span class="quiet small num" title={moment(e.timestamp)}>
          {clock(e.timestamp)}
        </span>
      </span>
      {children}
    </button>
  );
}

const attemptOf = (e: ExceptionInfo): string => (e.flott.attempt === undefined ? "Failure" : `Attempt ${e.flott.attempt + 1}`);

const whoseOf = (e: ExceptionInfo): string => (e.taskName ? taskOf(e.taskName) : `${plural(e.flott.tasks, "task")} hit`);
