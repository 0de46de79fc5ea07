import type { Environment as Body } from "../api";
import { integer, memory, moment } from "../fmt";
import { Card } from "../ui";
import { Pairs } from "./pairs";

/** Environment is how the JobManager was built and started. */
export function Environment({ of: { flott, jvm } }: { of: Body }) {
  return (
    <div class="stack">
      <Card title="Environment">
        <Pairs
          rows={[
            ["flott", flott.version || "not known"],
            ["Go", flott.goVersion],
            ["System", jvm.arch],
            ["Cores", `${integer(flott.cpus)}, GOMAXPROCS ${integer(flott.goMaxProcs)}`],
            ["GOMEMLIMIT", flott.goMemLimit > 0 ? memory(flott.goMemLimit) : "none"],
            ["Process", flott.pid],
            ["Started", moment(flott.started)],
            ["Command", <code key="command">{jvm.options.join(" ")}</code>],
          ]}
        />
      </Card>
      {flott.variables.length > 0 && (
        <Card title="Variables">
          <Named rows={flott.variables.map((v) => [v.key, v.value])} />
        </Card>
      )}
      <Card title="Go modules" note={integer(flott.modules.length)}>
        <Named rows={flott.modules.map(split)} />
      </Card>
    </div>
  );
}

/** split takes "path version" apart. */
function split(module: string): [string, string] {
  const [path = "", version = ""] = module.split(" ", 2);
  return [path, version];
}

const Named = ({ rows }: { rows: [string, string][] }) => (
  <ul class="named body">
    {rows.map(([name, value]) => (
      <li key={name}>
        <code>{name}</code> <code class="quiet">{value}</code>
      </li>
    ))}
  </ul>
);
