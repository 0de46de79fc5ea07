// A text file of another process, from its end. Older parts are read when they are asked for, by their place in the file.

import { useMemo, useState } from "preact/hooks";
import { at, download, type ApiError, type ProcessPath } from "../api";
import { bytes } from "../fmt";
import { Card, Empty, Failed, Icon, Loading } from "../ui";
import { printed } from "./filename";
import { LogHead } from "./loghead";
import { LogLines } from "./loglines";
import { choose, levels, parseLine, type Filter } from "./slog";
import { linesOf, type Tail } from "./tail";
import { useTail } from "./usetail";

interface FileViewProps {
  of: ProcessPath;
  name: string;
  /** When the page was opened. */
  size: number;
}

export function FileView({ of, name, size }: FileViewProps) {
  const [filter, set] = useState<Filter>({ level: "DEBUG", text: "" });
  const [following, follow] = useState(true);
  const { tail, error, again, older } = useTail(of, name, size, following);
  const [refused, refuse] = useState<string | undefined>();
  const save = () => void download(at.logFile(of, name), name).catch((e: ApiError) => refuse(e.message));
  return (
    <Card
      title={name}
      class="log-card"
      side={
        <>
          <LogHead levels={printed(name) ? [] : levels} filter={filter} onFilter={set} following={following} onFollow={follow} />
          <button type="button" class="icon-button" aria-label={`Download ${name}`} title="Download the whole file" onClick={save}>
            <Icon name="download" />
          </button>
        </>
      }
    >
      {refused && (
        <p role="alert" class="log-older text-red">
          It cannot be downloaded: {refused}
        </p>
      )}
      {error && tail && (
        <p role="alert" class="log-older text-amber">
          No new lines come: {error.message}
        </p>
      )}
      {error && !tail && <Failed what="The file" error={error} again={again} />}
      {!error && !tail && <Loading />}
      {tail && <Body name={name} tail={tail} filter={filter} following={following} onFollow={follow} onOlder={older} />}
    </Card>
  );
}

interface BodyProps {
  name: string;
  tail: Tail;
  filter: Filter;
  following: boolean;
  onFollow: (following: boolean) => void;
  onOlder: () => void;
}

function Body({ name, tail, filter, following, onFollow, onOlder }: BodyProps) {
  const all = useMemo(() => linesOf(tail).map((line) => parseLine(line.text, line.number)), [tail]);
  const lines = useMemo(() => choose(all, filter), [all, filter]);
  return (
    <>
      <p class="log-older">
        {tail.from === 0 ? (
          "This is the beginning."
        ) : (
          <button type="button" class="button" onClick={onOlder}>
            Show older lines, {bytes(tail.from)} more
          </button>
        )}
      </p>
      {lines.length === 0 && <Empty title={all.length === 0 ? "The file is empty" : "No line is like that"} />}
      <LogLines label={name} lines={lines} following={following} onFollow={onFollow} />
    </>
  );
}
