// How a job was asked to run, and what the cluster says where the job says nothing.

import "../css/pages.css";
import { at, type JobConfig } from "../api";
import { useAnswer } from "../store";
import { Card, Show, Table } from "../ui";
import { Pairs } from "../process/pairs";
import { Settings } from "../process/settings";

export function JobConfiguration({ job }: { job: string }) {
  const config = useAnswer(at.jobConfig(job));
  const settings = useAnswer(at.settings);
  return (
    <div class="beside job-first">
      <Show of={config} what="The configuration of this job">
        {(c) => <Program of={c} />}
      </Show>
      <Show of={settings} what="The configuration of the cluster">
        {(rows) => <Settings title="Configuration of the cluster" rows={rows} />}
      </Show>
    </div>
  );
}

function Program({ of }: { of: JobConfig }) {
  const execution = of["execution-config"];
  const parameters = Object.entries(execution["user-config"]);
  return (
    <div class="stack">
      <Card title="This job">
        <Pairs
          rows={[
            ["Job id", <code key="id">{of.jid}</code>],
            ["After a failure", execution["restart-strategy"]],
            ["Parallelism", execution["job-parallelism"]],
          ]}
        />
      </Card>
      {parameters.length > 0 && (
        <Card title="Parameters">
          <Table
            label="Parameters of the job"
            rows={parameters}
            id={([key]) => key}
            columns={[
              { title: "Name", cell: ([key]) => <code>{key}</code> },
              { title: "Value", cell: ([, value]) => <code>{value}</code> },
            ]}
          />
        </Card>
      )}
    </div>
  );
}
