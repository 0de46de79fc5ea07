// The JobManager: how it is set up, what it has written, and what can be asked of its process.

import "../css/pages.css";
import { at, jobManager } from "../api";
import { format } from "../route";
import { useAnswer } from "../store";
import { useTitle } from "../title";
import { LinkTabs, Show } from "../ui";
import { Environment } from "../process/environment";
import { Files } from "../log/files";
import { Goroutines } from "./goroutines";
import { Log } from "./log";
import { Metrics } from "../process/metrics";
import { Printed } from "../log/printed";
import { Profiler } from "../process/profiler";
import { Settings } from "../process/settings";

const tabs = {
  config: "Configuration",
  metrics: "Metrics",
  logs: "Log",
  files: "Log files",
  stdout: "Output",
  goroutines: "Goroutines",
  profiler: "Profiler",
};

export function JobManager({ tab }: { tab: string }) {
  useTitle("JobManager");
  return (
    <>
      <header class="page-head">
        <h1>JobManager</h1>
        <LinkTabs
          label="Pages of the JobManager"
          tabs={Object.entries(tabs).map(([name, title]) => ({ title, href: format(["job-manager", name]), current: name === tab }))}
        />
      </header>
      <Page tab={tab} />
    </>
  );
}

function Page({ tab }: { tab: string }) {
  switch (tab) {
    case "metrics":
      return <Metrics of={jobManager} />;
    case "logs":
      return <Log />;
    case "files":
      return <Files of={jobManager} />;
    case "stdout":
      return <Printed of={jobManager} />;
    case "goroutines":
      return <Goroutines of={jobManager} />;
    case "profiler":
      return <Profiler of={jobManager} />;
  }
  return <Configuration />;
}

function Configuration() {
  const settings = useAnswer(at.settings);
  const environment = useAnswer(at.environment);
  return (
    <div class="beside">
      <Show of={settings} what="The configuration">
        {(rows) => <Settings rows={rows} />}
      </Show>
      <Show of={environment} what="The environment">
        {(e) => <Environment of={e} />}
      </Show>
    </div>
  );
}
