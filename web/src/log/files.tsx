// The files of a process: what it has logged, and what its workers have printed.

import "../css/pages.css";
import "../css/log.css";
import { at, type LogFile, type ProcessPath } from "../api";
import { bytes } from "../fmt";
import { setQuery, useRoute } from "../route";
import { useAnswer } from "../store";
import { Card, Empty, Show, Time } from "../ui";
import { fileLabel, inOrder, printed } from "./filename";
import { FileView } from "./fileview";
import { useJobs } from "../process/usejobs";

/** Files is the logs; what was printed has a page of its own. */
export const Files = ({ of }: { of: ProcessPath }) => <Choice of={of} title="Log files" wanted={(f) => !printed(f.name)} none="There are no log files" why="What it logs goes to where it was started." />;

/** WorkerOutput is what workers print: each has a file for it. */
export const WorkerOutput = ({ of }: { of: ProcessPath }) => <Choice of={of} title="Printed by workers" wanted={(f) => printed(f.name)} none="Nothing was printed here" why="What a job prints shows here as soon as there is some." />;

interface ChoiceProps {
  of: ProcessPath;
  title: string;
  wanted: (f: LogFile) => boolean;
  none: string;
  why: string;
}

/** A Choice is a list of files, and the one that the URL names; else the first. */
function Choice({ of, title, wanted, none, why }: ChoiceProps) {
  const files = useAnswer(at.logFiles(of), 5_000);
  const { file } = useRoute().query;
  return (
    <Show of={files} what="The files">
      {({ logs }) => {
        const some = inOrder(logs.filter(wanted));
        const shown = some.find((f) => f.name === file) ?? some[0];
        if (!shown) return <Card title={title}>{<Empty title={none}>{why}</Empty>}</Card>;
        return (
          <div class="chooser">
            <List title={title} files={some} shown={shown} />
            <FileView key={shown.name} of={of} name={shown.name} size={shown.size} />
          </div>
        );
      }}
    </Show>
  );
}

function List({ title, files, shown }: { title: string; files: LogFile[]; shown: LogFile }) {
  const { names } = useJobs();
  return (
    <Card title={title}>
      <ul class="choices">
        {files.map((f) => (
          <li key={f.name}>
            <button type="button" aria-pressed={f === shown} title={f.name} onClick={() => setQuery({ file: f.name })}>
              <span>{fileLabel(f.name, names)}</span>
              <span class="quiet small num">
                {f.size === 0 ? "empty" : bytes(f.size)}, <Time at={f.mtime} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
