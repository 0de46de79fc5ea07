import { clock } from "../fmt";
import { useFeatures, useLink, useNow, type Link } from "../store";

const words: Record<Link["status"], (heard: string) => string> = {
  connecting: () => "Connecting",
  live: (heard) => `Live, ${heard} UTC`,
  stale: (heard) => `Stale since ${heard} UTC`,
  lost: (heard) => (heard === "" ? "No connection" : `Connection lost, stale since ${heard} UTC`),
  polling: () => "Asking every 3 s",
};

/** The Status says how old the page is. It is green only while frames arrive. */
export function Status() {
  const { status, heard } = useLink();
  const now = useNow();
  const plan = useFeatures()?.flott?.plan;
  const at = status === "live" ? now : heard;
  const text = plan ? "Plan, not running" : words[status](at > 0 ? clock(at) : "");
  return (
    <span class="status" data-status={plan ? "plan" : status} title="Events from the JobManager, one a second">
      <i aria-hidden="true" />
      <span class="num">{text}</span>
    </span>
  );
}
