// What a failure made the job do: which tasks were started again, how long that took, and what it means for the data.

import { ended, type ExceptionEntry, type ExceptionInfo, type JobDetails } from "../api";
import { clock, duration, integer, plural, sentence } from "../fmt";
import { Card, Letter } from "../ui";

export function Restarted({ e, job }: { e: ExceptionEntry; job: JobDetails }) {
  const { restart, downtime, note } = e.flott;
  return (
    <Card title="What was started again" side={<span class="quiet small">{downtime != null && `down for ${duration(downtime)}`}</span>}>
      <div class="restarted">
        {restart ? <Region restart={restart} job={job} /> : <p>{noRestart(job)}</p>}
        {restart && <Phases e={e} over={ended(job.state)} />}
        {note && <p class="quiet">{sentence(note)}.</p>}
      </div>
    </Card>
  );
}

const noRestart = (job: JobDetails): string =>
  job.state === "FAILED" ? "Nothing: the job's restart strategy allowed no further attempt, and the job has failed." : "Nothing was started again.";

function Region({ restart, job }: { restart: NonNullable<ExceptionInfo["flott"]["restart"]>; job: JobDetails }) {
  const { tasks, of, vertices } = restart;
  const all = tasks === of;
  return (
    <p class="row wrap">
      {all ? allOf(of) : `${integer(tasks)} of ${plural(of, "task")}, those that exchange records while they run`}
      <span class="row" role="img" aria-label={vertices.map((id) => nameOf(job, id)).join(", ")}>
        {vertices.map((id) => (
          <Letter key={id} index={job.vertices.findIndex((v) => v.id === id)} />
        ))}
      </span>
    </p>
  );
}

const allOf = (tasks: number): string => (tasks > 2 ? `All ${plural(tasks, "task")} of the job` : `${tasks === 2 ? "Both tasks" : "The only task"} of the job`);

const nameOf = (job: JobDetails, id: string): string => job.vertices.find((v) => v.id === id)?.name ?? id;

type Phase = ExceptionInfo["flott"]["phases"][number];

/** steps is what happens until a phase is reached. */
const steps: Record<Phase["phase"], string> = { failed: "", due: "delay", deployed: "slots and deployment", running: "start of tasks" };

function Phases({ e, over }: { e: ExceptionEntry; over: boolean }) {
  const { phases } = e.flott;
  const running = phases.find((p) => p.phase === "running");
  return (
    <>
      <ol class="phases">
        {phases.slice(1).map((p, i) => {
          const took = p.at - phases[i]!.at;
          return (
            <li key={p.phase} class={p.phase} style={{ flexGrow: Math.max(1, took) }}>
              <b>{steps[p.phase]}</b>
              {duration(took)}
            </li>
          );
        })}
      </ol>
      <p>{running ? `It ran again at ${clock(running.at)}.` : over ? "It did not run again." : "It does not run again yet."}</p>
    </>
  );
}
