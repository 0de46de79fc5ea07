// Profiles of a process: they are taken there, kept by the JobManager for a while, and read with `go tool pprof`.

import { useState } from "preact/hooks";
import { ApiError, at, download, startProfile, type ProcessPath, type Profiling } from "../api";
import { duration, plural } from "../fmt";
import { useAnswer, useFeatures, useNow } from "../store";
import { Badge, Card, Command, Empty, Icon, Show, Table, Time, type Column } from "../ui";

interface Kind {
  mode: Profiling["mode"];
  title: string;
  about: string;
  /** It is taken over some time. Others say how things are. */
  lasts: boolean;
}

const kinds: readonly Kind[] = [
  { mode: "CPU", title: "Processor", about: "which functions use the processor", lasts: true },
  { mode: "ALLOC", title: "Allocations", about: "which functions have allocated memory since the start", lasts: false },
  { mode: "WALL", title: "Goroutines", about: "where all goroutines are now", lasts: false },
  { mode: "LOCK", title: "Locks", about: "where goroutines wait for locks", lasts: true },
];

/** kindOf is the kind of a profile; ITIMER is Flink's second word for CPU. */
const kindOf = (p: Profiling): Kind => kinds.find((k) => k.mode === p.mode) ?? kinds[0]!;

export function Profiler({ of }: { of: ProcessPath }) {
  const profiles = useAnswer(at.profiles(of), 1_000);
  const readOnly = useFeatures()?.features["web-cancel"] === false;
  return (
    <div class="stack">
      {readOnly ? <p class="secondary">This server only shows: it starts no profiles.</p> : <Start of={of} started={profiles.again} />}
      <Card title="Profiles" note="the newest ten">
        <Show of={profiles} what="The profiles">
          {({ profilingList: all }) => (all.length === 0 ? <Empty title="No profile has been taken yet" /> : <All of={of} profiles={all} />)}
        </Show>
      </Card>
    </div>
  );
}

function Start({ of, started }: { of: ProcessPath; started: () => void }) {
  const [kind, pick] = useState(kinds[0]!);
  const [seconds, last] = useState(10);
  const [refused, refuse] = useState<string | undefined>();
  const start = (e: Event) => {
    e.preventDefault();
    refuse(undefined);
    startProfile(of, kind.mode, kind.lasts ? seconds : 1).then(started, (error: ApiError) => refuse(error.message));
  };
  return (
    <Card title="Take a profile">
      <form class="body profile-form" onSubmit={start}>
        <fieldset class="row wrap">
          <legend class="hidden">What</legend>
          {kinds.map((k) => (
            <label key={k.mode} class="check">
              <input type="radio" name="kind" checked={k === kind} onChange={() => pick(k)} />
              {k.title}
            </label>
          ))}
        </fieldset>
        <p class="secondary">It shows {kind.about}.</p>
        <p class="row wrap">
          {kind.lasts && (
            <label class="row">
              Seconds
              <input class="input" type="number" min="1" max="600" required value={seconds} onInput={(e) => last(e.currentTarget.valueAsNumber)} />
            </label>
          )}
          <button type="submit" class="button primary">
            Start
          </button>
        </p>
        {refused && (
          <p role="alert" class="text-red">
            No profile was started: {refused}
          </p>
        )}
      </form>
    </Card>
  );
}

function All({ of, profiles }: { of: ProcessPath; profiles: Profiling[] }) {
  const newest = profiles.find((p) => p.outputFile);
  return (
    <>
      <Table label="Profiles" class="cards" columns={columns(of)} rows={profiles} id={(p) => p.triggerTime} />
      {newest && (
        <div class="body profile-hint">
          <p class="secondary">A profile is opened with the tool that comes with Go:</p>
          <Command line={`go tool pprof -http : ${newest.outputFile}`} />
        </div>
      )}
    </>
  );
}

const columns = (of: ProcessPath): Column<Profiling>[] => [
  { title: "What", cell: (p) => kindOf(p).title },
  { title: "Started", cell: (p) => <Time at={p.triggerTime} /> },
  { title: "Over", number: true, cell: (p) => (kindOf(p).lasts ? plural(p.duration, "second") : "at once") },
  { title: "State", cell: (p) => <State of={p} /> },
  { title: "File", cell: (p) => p.outputFile && <Download of={of} file={p.outputFile} /> },
];

function State({ of }: { of: Profiling }) {
  const left = of.triggerTime + of.duration * 1000 - useNow();
  switch (of.status) {
    case "RUNNING":
      return <Badge tone="blue">{left > 0 ? `running, ${duration(left)} left` : "running"}</Badge>;
    case "FAILED":
      return (
        <>
          <Badge tone="amber">failed</Badge> <span class="secondary">{of.message}</span>
        </>
      );
    case "FINISHED":
      return <Badge tone="green">done</Badge>;
  }
}

function Download({ of, file }: { of: ProcessPath; file: string }) {
  const [refused, refuse] = useState<string | undefined>();
  const save = () => {
    refuse(undefined);
    download(at.profile(of, file), file).catch((error: ApiError) => refuse(error.message));
  };
  return (
    <>
      <button type="button" class="button" onClick={save} aria-label={`Download ${file}`}>
        <Icon name="download" size={14} /> Download
      </button>
      {refused && <span role="alert" class="text-red"> {refused}</span>}
    </>
  );
}
