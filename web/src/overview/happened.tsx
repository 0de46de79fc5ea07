import type { ClusterEvent } from "../api";
import { clock, integer, moment } from "../fmt";
import { format } from "../route";
import { Card, Dot, Empty, Named, type Tone } from "../ui";
import { arrows } from "../words";
import { fold } from "./fold";

const mostShown = 12;
const tones: Record<ClusterEvent["level"], Tone> = { info: "plain", warn: "amber", error: "red" };

/** Happened is what happened to jobs and TaskManagers, the newest first. */
export function Happened({ events }: { events: readonly ClusterEvent[] }) {
  return (
    <Card title="What happened" class="happened">
      {events.length === 0 ? (
        <Empty title="Nothing yet">Jobs and TaskManagers that come, fail and go are told of here.</Empty>
      ) : (
        <ol>
          {fold(events).slice(0, mostShown).map(({ event: e, times, first }) => (
            <li key={e.seq}>
              <time class="quiet num" dateTime={new Date(e.at).toISOString()} title={moment(e.at)}>
                {clock(e.at).slice(0, 5)}
              </time>
              <Dot tone={tones[e.level]} label={e.level === "info" ? "" : e.level} />
              <div>
                <Subject of={e} /> {e.kind}
                {times > 1 && ` ${integer(times)} times since ${clock(first).slice(0, 5)}`}
                <p class="clamp secondary" title={e.text}>
                  {arrows(e.text)}
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function Subject({ of }: { of: ClusterEvent }) {
  if (!of.job) return <span class="strong">{of.taskManager}</span>;
  return (
    <a class="strong" href={format(["job", of.job])}>
      <Named name={of.name ?? of.job} />
    </a>
  );
}
