// What can be done to a job: cancel it. Stopping with a savepoint needs savepoints, which this version does not have.

import "../css/actions.css";
import { useState } from "preact/hooks";
import { cancelJob, ended, type ApiError, type JobState } from "../api";
import { useFeatures } from "../store";
import { Command, Dialog } from "../ui";

export interface JobActionsProps {
  id: string;
  name: string;
  state: JobState;
}

/** JobActions is nothing for a job that is over, or where the server only shows. */
export function JobActions(job: JobActionsProps) {
  const [asking, ask] = useState(false);
  const allowed = useFeatures()?.features["web-cancel"] === true;
  if (!allowed || ended(job.state)) return null;
  return (
    <>
      <button type="button" class="button danger" disabled={job.state === "CANCELLING"} onClick={() => ask(true)}>
        {job.state === "CANCELLING" ? "Cancelling" : "Cancel…"}
      </button>
      {asking && <Cancel job={job} onClose={() => ask(false)} />}
    </>
  );
}

/** Progress is what has become of the request. */
type Progress = { of: "nothing" } | { of: "sent" } | { of: "failed"; why: string };

function Cancel({ job, onClose }: { job: JobActionsProps; onClose: () => void }) {
  const [typed, type] = useState("");
  const [progress, set] = useState<Progress>({ of: "nothing" });
  const send = (e: Event) => {
    e.preventDefault();
    set({ of: "sent" });
    cancelJob(job.id).then(onClose, (error: ApiError) => set({ of: "failed", why: error.message }));
  };
  return (
    <Dialog title={`Cancel ${job.name}`} onClose={onClose}>
      <form class="cancel" onSubmit={send}>
        <div class="body">
          <Consequences />
          <label class="cancel-name">
            <span>
              Type <b>{job.name}</b> to confirm
            </span>
            <input class="input" autocomplete="off" spellcheck={false} autofocus value={typed} onInput={(e) => type(e.currentTarget.value)} />
          </label>
          <div>
            <p class="caption">The same on the command line</p>
            <Command line={`flott cancel ${job.id}`} />
          </div>
          {progress.of === "failed" && (
            <p role="alert" class="text-red">
              The job was not cancelled: {progress.why}
            </p>
          )}
        </div>
        <footer>
          <button type="button" class="button" onClick={onClose}>
            Keep it running
          </button>
          <button type="submit" class="button danger primary" disabled={typed !== job.name || progress.of === "sent"}>
            Cancel the job
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

const Consequences = () => (
  <>
    <p>
      All tasks end at once. What is in flight and all state is lost: open windows, counts, timers. There is no checkpoint to come back from:
      submitted again, the job starts from the beginning of its sources.
    </p>
    <p class="secondary">Stopping with a savepoint is not offered, as this version of flott takes none.</p>
  </>
);
