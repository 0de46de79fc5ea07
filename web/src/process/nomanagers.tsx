import { at, type Setting } from "../api";
import { useAnswer, useFeatures } from "../store";
import { Command, Empty } from "../ui";

/** NoManagers says how to start a TaskManager: one that finds this JobManager. */
export function NoManagers() {
  const plan = useFeatures()?.flott?.plan === true;
  const settings = useAnswer(plan ? undefined : at.settings).data ?? [];
  if (plan) return <Empty title="This is a plan: nothing runs, and there are no TaskManagers" />;
  return (
    <Empty title="No TaskManager is connected">
      <p class="why">Jobs wait until one is. This starts one on the JobManager's machine:</p>
      <Command line={["flott taskmanager", ...settings.flatMap(told)].join(" ")} />
    </Empty>
  );
}

const where = ["jobmanager.rpc.address", "jobmanager.rpc.port", "rest.address", "rest.port"];

/** told is what a TaskManager must be told of the JobManager's configuration to find it. */
const told = ({ key, value, origin }: Setting): string[] => (where.includes(key) && origin !== "default" ? [`-D ${key}=${value}`] : []);
