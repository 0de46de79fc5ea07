import type { Diagnosis, Finding } from "../api";
import { sentence } from "../fmt";
import { format, type Query } from "../route";
import { useAnnounce } from "../title";
import { Say, toneOf } from "../ui";
import { arrows } from "../words";

interface Of {
  job: string;
  layer: string | undefined; // that is shown, and stays
}

/** DiagnosisBanner says in sentences how the job fares. They are the server's; the log and the command line have the same ones. */
export function DiagnosisBanner({ job, layer, diagnosis }: Of & { diagnosis: Diagnosis }) {
  const findings = newsOf(diagnosis.findings);
  const [first] = findings;
  useAnnounce(first && first.level !== "ok" ? arrows(first.head) : "");
  if (!first) return diagnosis.level === "ok" ? <Well /> : null;
  return (
    <div class="findings">
      {findings.map((f, i) => (
        <FindingSays key={`${f.kind} ${f.vertex} ${i}`} job={job} layer={layer} finding={f} />
      ))}
    </div>
  );
}

const Well = () => (
  <Say tone="green">
    <b>Keeping up.</b> No bottleneck, no failure, and records move on.
  </Say>
);

/** newsOf leaves out what is not known yet where something is known. */
function newsOf(findings: Finding[]): Finding[] {
  const known = findings.filter((f) => f.level !== "pending");
  return known.length > 0 ? known : findings;
}

function FindingSays({ finding: f, ...of }: Of & { finding: Finding }) {
  const detail = arrows(f.kind === "failed" ? sentence(f.detail) : f.detail);
  const link = linkOf(of, f);
  return (
    <Say tone={toneOf(f)}>
      <p class="clamp" title={detail}>
        <b>{arrows(f.head)}.</b> {detail}
      </p>
      {(f.advice || link) && (
        <p class="small secondary">
          {f.advice}{" "}
          {link && (
            <a class="link nowrap" href={link.href}>
              {link.text}
            </a>
          )}
        </p>
      )}
    </Say>
  );
}

/** linkOf leads to where more is to be seen. */
function linkOf({ job, layer }: Of, f: Finding): { text: string; href: string } | null {
  const graph = (query: Query, text: string) => ({ text, href: format(["job", job, "graph"], { layer, vertex: f.vertex, subtask: f.subtask, ...query }) });
  if (f.kind === "restarts" || f.kind === "failed") return { text: "See the exceptions", href: format(["job", job, "exceptions"]) };
  if (f.kind === "waiting" || f.kind === "memory") return { text: "See the TaskManagers", href: format(["task-manager"]) };
  if (!f.vertex) return null;
  if (f.kind === "watermark") return graph({ tab: "watermarks" }, "See the watermarks");
  if (f.kind === "progress") return graph({ tab: "flame", samples: "off_cpu" }, "See its stack");
  return graph({ tab: "subtasks" }, "See its subtasks");
}
