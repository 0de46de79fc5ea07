import { ago, moment, unknown } from "../fmt";
import { useNow } from "../store";

/** late is when a heartbeat, which comes each second, is worth a look: the JobManager gives a TaskManager up after five. */
const late = 3_000;

/** Heartbeat is when a TaskManager was heard last; one in the JobManager's own process has none. Its age is only said when it is unusual. */
export function Heartbeat({ at }: { at: number }) {
  const age = useNow() - at;
  if (at <= 0) return <>{unknown}</>;
  return (
    <time class={age > late ? "text-amber" : ""} dateTime={new Date(at).toISOString()} title={moment(at)}>
      {age < late ? "just now" : ago(age)}
    </time>
  );
}
