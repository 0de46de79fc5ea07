import { clock } from "../fmt";
import { useFeatures, useLink } from "../store";
import { Dot } from "../ui";

/** Lost says that nobody answers, and of when what is on the page is. */
export function Lost() {
  const { heard } = useLink();
  const embedded = useFeatures()?.flott?.embedded;
  return (
    <p class="lost" role="alert">
      <Dot tone="amber" label="" />
      <span>
        <b>{embedded ? "The program has ended, or does not answer." : "The JobManager does not answer."}</b>
        {heard > 0 && ` What you see is of ${clock(heard)} UTC.`} The page asks again by itself.
      </span>
    </p>
  );
}
