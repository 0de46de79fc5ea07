// Checkpoints are off until the engine has them: the page says so, and what it means for this job.

import "../css/pages.css";
import { at, type CheckpointConfig } from "../api";
import { duration } from "../fmt";
import { useAnswer } from "../store";
import { Card, Say, Show } from "../ui";

export function Checkpoints({ job }: { job: string }) {
  const config = useAnswer(at.checkpointConfig(job));
  const restarts = useAnswer(at.jobConfig(job));
  return (
    <Card title="Checkpoints" note="off">
      <div class="body stack prose">
        <Say tone="amber">
          <p class="strong">This version of flott takes no checkpoints and no savepoints.</p>
          <p>State is kept in the memory of the workers, and nowhere else.</p>
        </Say>
        <section>
          <h3>What it means for this job</h3>
          <ul class="points">
            <li>When the job starts again after a failure, its state is gone, and its sources start from their beginning.</li>
            <li>Results that were written before a failure are written again: sinks see them at least once.</li>
            <li>A job that was cancelled cannot go on where it was: submitted again, it starts from the beginning.</li>
          </ul>
        </section>
        <section>
          <h3>After a failure</h3>
          <Show of={restarts} what="The restart strategy">
            {(c) => <p>{c["execution-config"]["restart-strategy"]}</p>}
          </Show>
        </section>
        <section>
          <h3>What the program asks for</h3>
          <Show of={config} what="What the program asks for">
            {(c) => <p>{wish(c)}</p>}
          </Show>
        </section>
      </div>
    </Card>
  );
}

/** never is the interval of a program that asks for none: Java's largest number, or near it after JSON. */
const never = 2 ** 62;

function wish({ interval, mode }: CheckpointConfig): string {
  if (interval >= never) return "No checkpoints.";
  const guarantee = mode === "exactly_once" ? "exactly once" : "at least once";
  return `A checkpoint every ${duration(interval)}, ${guarantee}. It is not taken, as this version cannot.`;
}
