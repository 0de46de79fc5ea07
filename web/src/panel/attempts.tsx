import { useEffect, useState } from "preact/hooks";
import { at, ended, get, type JobState, type SubtaskDetail } from "../api";
import { clock, duration } from "../fmt";
import { pure } from "../pure";
import { Badge } from "../ui";
import { taskWord } from "../words";
import { life } from "./rows";
import { toneOf } from "./subtasks";

/** As many earlier attempts are asked for. */
const most = 5;

interface AttemptsProps {
  job: string;
  vertex: string;
  subtask: number;
  attempt: number;
  detail: SubtaskDetail | undefined; // of the newest one
  state: JobState | undefined;
}

/** Attempts is the attempts of a subtask, newest first, with how long each was in which state. */
export const Attempts = pure(({ job, vertex, subtask, attempt, detail, state }: AttemptsProps) => {
  const earlier = useEarlier(job, vertex, subtask, attempt);
  const all = detail ? [detail, ...earlier] : earlier;
  if (all.length === 0) return null;
  return (
    <ol class="attempts small" aria-label="Attempts">
      {all.map((d) => (
        <li key={d.attempt}>
          <span class="row">
            <span class="strong">Attempt {d.attempt + 1}</span>
            <Badge tone={toneOf(d.status)}>{taskWord(d.status)}</Badge>
            <span class="secondary num">{when(d, state)}</span>
          </span>
          <span class="quiet num">{steps(d)}</span>
        </li>
      ))}
    </ol>
  );
});

function when(d: SubtaskDetail, state: JobState | undefined): string {
  if (d["start-time"] < 0) return state && ended(state) ? "never started" : "not started yet";
  const from = `from ${clock(d["start-time"])}, for ${duration(d.duration)}`;
  return d["end-time"] > 0 ? `${from}, until ${clock(d["end-time"])}` : from;
}

/** steps is the states on the way, without those that it has not been in, or for no time. */
function steps(d: SubtaskDetail): string {
  const times = d["status-duration"];
  return life
    .filter((s) => (times[s] ?? 0) > 0)
    .map((s) => `${taskWord(s)} ${duration(times[s])}`)
    .join(", ");
}

/** useEarlier asks once for each attempt that is over: they do not change. Those that the server has forgotten are left out. */
function useEarlier(job: string, vertex: string, subtask: number, attempt: number): SubtaskDetail[] {
  const [known, set] = useState<{ of: string; all: SubtaskDetail[] }>({ of: "", all: [] });
  const of = `${vertex} ${subtask} ${attempt}`;
  useEffect(() => {
    const numbers = Array.from({ length: Math.min(most, attempt) }, (_, i) => attempt - 1 - i);
    let wanted = true;
    void Promise.allSettled(numbers.map((n) => get(at.attempt(job, vertex, subtask, n)))).then((answers) => {
      if (wanted) set({ of, all: answers.flatMap((a) => (a.status === "fulfilled" ? [a.value] : [])) });
    });
    return () => {
      wanted = false;
    };
  }, [job, of]);
  return known.of === of ? known.all : [];
}

