import type { ClusterEvent } from "../api";
import { clock, moment } from "../fmt";
import { format } from "../route";
import { Card, Dot, Empty, type Tone } from "../ui";

const mostShown = 20;
const tones: Record<ClusterEvent["level"], Tone> = { info: "plain", warn: "amber", error: "red" };

/** Happened is what happened to jobs and TaskManagers, the newest first. */
export function Happened({ events }: { events: readonly ClusterEvent[] }) {
  return (
    <Card title="What happened" class="happened">
      {events.length === 0 ? (
        <Empty title="Nothing yet" />
      ) : (
        <ol>
          {events.slice(0, mostShown).map((e) => (
            <li key={e.seq}>
              <time class="quiet num" dateTime={new Date(e.at).toISOString()} title={moment(e.at)}>
                {clock(e.at).slice(0, 5)}
              </time>
              <Dot tone={tones[e.level]} label={e.level === "info" ? "" : e.level} />
              <span>
                <Subject of={e} /> <span class="secondary">{e.text}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function Subject({ of }: { of: ClusterEvent }) {
  if (of.job) return <a class="strong" href={format(["job", of.job])}>{of.name ?? of.job}</a>;
  return <span class="strong">{of.taskManager}</span>;
}
