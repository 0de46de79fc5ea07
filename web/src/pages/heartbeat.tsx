import { ago, moment } from "../fmt";
import { useNow } from "../store";

/** late is when a heartbeat, which comes each second, is worth a look: the JobManager gives a TaskManager up after five. */
const late = 3_000;

/** Heartbeat is when a TaskManager was heard last. Its age is only said when it is more than it always is. */
export function Heartbeat({ at }: { at: number }) {
  const age = useNow() - at;
  return (
    <time class={age > late ? "text-amber" : ""} dateTime={new Date(at).toISOString()} title={moment(at)}>
      {age < late ? "just now" : ago(age)}
    </time>
  );
}
