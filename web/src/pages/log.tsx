// The log of the JobManager as it is written: the server keeps the newest lines, and sends each new one.

import "../css/log.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { at, jobManager, type LogLines as Lines } from "../api";
import { format } from "../route";
import { onLog, useAnswer } from "../store";
import { Card, Empty, Loading } from "../ui";
import { LogHead } from "../log/loghead";
import { LogLines } from "../log/loglines";
import { Missing } from "../log/missing";
import { choose, levels, type Filter, type Line } from "../log/slog";

/** step is how many lines more come when older ones are asked for. */
const step = 500;

/** kept is the levels of the lines that the server keeps. */
const kept = levels.slice(levels.indexOf("INFO"));

/** most is how many new lines are kept: a log that is followed for days must not fill the tab. */
const most = 5_000;

export function Log() {
  const [filter, set] = useState<Filter>({ level: "INFO", text: "" });
  const [limit, more] = useState(step);
  const [following, follow] = useState(true);
  const answer = useAnswer(at.logLines(jobManager, { level: filter.level, q: filter.text, limit }));
  const fresh = useFresh();
  // Until there is an answer to another question, the last one is looked through: the log stays, and so does the place in it.
  const last = useRef<Lines>();
  last.current = answer.data ?? last.current;
  return (
    <Card title="Log of the JobManager" class="log-card" side={<LogHead levels={kept} filter={filter} onFilter={set} following={following} onFollow={follow} />}>
      {!last.current && (answer.error ? <Missing what="The log" error={answer.error} again={answer.again} /> : <Loading />)}
      {last.current && (
        <>
          <Older answered={last.current} limit={limit} onMore={() => more(limit + step)} />
          <Found lines={choose(merge(last.current, fresh), filter)} whole={filter.level === "INFO" && filter.text === ""} following={following} onFollow={follow} />
        </>
      )}
    </Card>
  );
}

/** merge is what was asked for, and what has come since. */
const merge = ({ lines, last }: Lines, fresh: readonly Line[]): Line[] => [...lines, ...fresh.filter((line) => line.seq > last)];

interface FoundProps {
  lines: Line[];
  /** Nobody looks for anything. */
  whole: boolean;
  following: boolean;
  onFollow: (following: boolean) => void;
}

function Found({ lines, whole, following, onFollow }: FoundProps) {
  return (
    <>
      {lines.length === 0 && <Empty title={whole ? "Nothing was logged yet" : "No line is like that"} />}
      <LogLines label="Log of the JobManager" lines={lines} following={following} onFollow={onFollow} />
    </>
  );
}

/** useFresh is the lines that have come since the page was opened. */
function useFresh(): readonly Line[] {
  const [fresh, set] = useState<readonly Line[]>([]);
  useEffect(() => onLog(({ lines }) => set((before) => [...before, ...lines].slice(-most))), []);
  return fresh;
}

/** Older leads to what was before: more of what is kept, and then the files. */
function Older({ answered, limit, onMore }: { answered: Lines; limit: number; onMore: () => void }) {
  return (
    <p class="log-older">
      {answered.lines[0]?.seq === 1 ? (
        "This is the beginning."
      ) : answered.lines.length < limit ? (
        <>
          Older lines are in the{" "}
          <a class="link" href={format(["job-manager", "files"])}>
            log files
          </a>
          .
        </>
      ) : (
        <button type="button" class="button" onClick={onMore}>
          Show older lines
        </button>
      )}
    </p>
  );
}
