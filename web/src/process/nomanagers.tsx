import { at, type Setting } from "../api";
import { useAnswer, useFeatures } from "../store";
import { Command, Empty } from "../ui";

/** NoManagers says how to start a TaskManager: one that finds this JobManager. */
export function NoManagers() {
  const plan = useFeatures()?.flott?.plan === true;
  const settings = useAnswer(plan ? undefined : at.settings).data ?? [];
  const line = ["flott taskmanager", ...settings.flatMap(told)].join(" ");
  if (plan) return <Empty title="This is a plan: nothing runs, and there are no TaskManagers" />;
  return (
    <Empty title="No TaskManager is connected">
      <p class="why">Jobs wait until one is. This starts one on the JobManager's machine:</p>
      <Command line={line} />
      {line.includes("PORT") && <p class="why">PORT is what the JobManager logs as rpc when it is ready.</p>}
    </Empty>
  );
}

const where = ["jobmanager.rpc.address", "jobmanager.rpc.port", "rest.address", "rest.port"];

/** told is what a TaskManager must be told of the JobManager's configuration to find it. */
const told = ({ key, value, origin }: Setting): string[] =>
  where.includes(key) && origin !== "default" ? [`-D ${key}=${value === "0" ? chosen(key) : value}`] : [];

/** chosen is the port that the JobManager took where any would do: the page knows one, and the log both. */
const chosen = (key: string): string => (key === "rest.port" ? location.port : "PORT");
