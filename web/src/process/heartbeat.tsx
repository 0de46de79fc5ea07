import { ago, moment, unknown } from "../fmt";
import { useNow } from "../store";

/** late is when the age of a heartbeat, which comes each second and is asked for every two, is worth a look. */
const late = 5_000;

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
