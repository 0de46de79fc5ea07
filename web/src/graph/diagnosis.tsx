import type { Diagnosis, Finding } from "../api";
import { sentence } from "../fmt";
import { Say, toneOfLevel, type Tone } from "../ui";
import { useAnnounce } from "../title";
import { pickVertex } from "./picked";

/** DiagnosisBanner says in sentences how the job fares. They are the server's; the log and the command line have the same ones. */
export function DiagnosisBanner({ diagnosis }: { diagnosis: Diagnosis }) {
  const findings = newsOf(diagnosis.findings);
  const [first] = findings;
  useAnnounce(first && first.level !== "ok" ? headOf(first) : "");
  if (!first) return diagnosis.level === "ok" ? <Say tone="green">Nothing is wrong: no bottleneck, no failure, and records move on.</Say> : null;
  return (
    <div class="findings">
      {findings.map((f, i) => (
        <FindingSays key={`${f.kind} ${f.vertex} ${i}`} finding={f} />
      ))}
    </div>
  );
}

/** newsOf leaves out what is not known yet where something is known. */
function newsOf(findings: Finding[]): Finding[] {
  const known = findings.filter((f) => f.level !== "pending");
  return known.length > 0 ? known : findings;
}

function FindingSays({ finding: f }: { finding: Finding }) {
  const detail = f.kind === "failed" ? sentence(f.detail) : f.detail;
  return (
    <Say tone={toneOf(f)}>
      <p class="clamp" title={detail}>
        <b>{headOf(f)}.</b> {detail}
      </p>
      {(f.advice || f.vertex) && (
        <p class="small secondary">
          {f.advice}{" "}
          {f.vertex && (
            <button type="button" class="plain link" onClick={() => pickVertex(f.vertex!, f.subtask)}>
              Show it
            </button>
          )}
        </p>
      )}
    </Say>
  );
}

/** headOf has a capital, unless it begins with the name of a vertex. */
const headOf = (f: Finding): string => (f.level !== "pending" && points(f) ? f.head : sentence(f.head));

/** points says that a finding points at a vertex that is too slow. */
const points = ({ kind }: Finding): boolean => kind === "bottleneck" || kind === "skew";

const toneOf = (f: Finding): Tone => (f.level === "warn" && points(f) ? "hot" : toneOfLevel[f.level]);
