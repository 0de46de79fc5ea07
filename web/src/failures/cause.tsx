// What was wrong: the error in words, where it was, and the frames of the user's code before all others.

import { useState } from "preact/hooks";
import type { ExceptionEntry, ExceptionInfo } from "../api";
import { moment, plural, sentence } from "../fmt";
import { shortName } from "../panel/origin";
import { format } from "../route";
import { Badge, Card, Copy, Named } from "../ui";
import { fileOf, headOf, hostOf, messageOf, taskOf, yours } from "./causetext";

type Frame = ExceptionInfo["flott"]["frames"][number];

export function RootCause({ e }: { e: ExceptionEntry }) {
  const message = messageOf(e.stacktrace);
  return (
    <Card
      title="Root cause"
      note={<Whose e={e} />}
      side={
        <>
          <span class="quiet small num">{moment(e.timestamp)}</span>
          <Copy text={e.stacktrace} label="Copy the whole text" />
        </>
      }
    >
      <div class="cause">
        <p class="cause-message clamp" title={message}>
          {yours(e) ? message : headOf(e)}
        </p>
        {!yours(e) && <p>{sentence(message)}</p>}
        <Where e={e} />
        <Labels of={e.failureLabels} />
      </div>
      <Stack e={e} />
    </Card>
  );
}

const Whose = ({ e }: { e: ExceptionInfo }) => (yours(e) ? <Badge tone="amber">your code</Badge> : <Badge>the cluster</Badge>);

function Where({ e }: { e: ExceptionInfo }) {
  const { operator, frames, tasks } = e.flott;
  const frame = frames.find((f) => f.user);
  return (
    <p class="quiet">
      {frame && (
        <>
          In <code>{shortName(frame.function)}</code> at <code>{placeOf(frame)}</code>.{" "}
        </>
      )}
      {operator && (
        <>
          Operator{" "}
          <b>
            <Named name={operator} />
          </b>
          {e.taskName ? " of " : ". "}
        </>
      )}
      {e.taskName ? (
        <>
          {operator ? "task" : "Task"} <Named name={taskOf(e.taskName)} />
        </>
      ) : (
        `No task is to blame: ${plural(tasks, "task was", "tasks were")} hit`
      )}
      <On e={e} />.
    </p>
  );
}

/** On is where the task ran: its TaskManager may be gone by now, which its page then says. */
function On({ e }: { e: ExceptionInfo }) {
  if (!e.taskManagerId) return null;
  return (
    <>
      , on TaskManager{" "}
      <a class="link" href={format(["task-manager", e.taskManagerId])}>
        {e.taskManagerId}
      </a>
      {e.endpoint && ` (${hostOf(e.endpoint)})`}
    </>
  );
}

function Labels({ of }: { of: Record<string, string> }) {
  const labels = Object.entries(of);
  if (labels.length === 0) return null;
  return (
    <p class="row wrap">
      {labels.map(([key, value]) => (
        <Badge key={key}>
          {key}: {value}
        </Badge>
      ))}
    </p>
  );
}

/** A Stack shows the user's frames; the others stand between them in the whole of it. */
function Stack({ e }: { e: ExceptionInfo }) {
  const [whole, show] = useState(false);
  const { frames } = e.flott;
  const own = frames.filter((f) => f.user);
  if (frames.length === 0) return <WholeText text={e.stacktrace} />;
  return (
    <>
      <Frames frames={whole || own.length === 0 ? frames : own} />
      {own.length > 0 && own.length < frames.length && (
        <button type="button" class="frames-more" aria-expanded={whole} onClick={() => show(!whole)}>
          {whole ? "Show your code only" : `Show the whole stack: ${plural(frames.length - own.length, "frame")} of flott and Go`}
        </button>
      )}
    </>
  );
}

function Frames({ frames }: { frames: Frame[] }) {
  return (
    <ol class="frames" tabIndex={0} aria-label="Stack, innermost call first">
      {frames.map((f, i) => (
        <li key={i} class={f.user ? "user" : ""}>
          {f.function}
          <span>
            {f.file}:{f.line}
          </span>
          {f.user && <span class="hidden"> (your code)</span>}
        </li>
      ))}
    </ol>
  );
}

/** WholeText is what an error says beyond its first line. */
function WholeText({ text }: { text: string }) {
  if (text.trim() === messageOf(text)) return null; // it is said already
  return (
    <details class="whole-text">
      <summary>Whole text</summary>
      <pre tabIndex={0}>{text}</pre>
    </details>
  );
}

const placeOf = (f: Frame): string => `${fileOf(f.file)}:${f.line}`;

/** Concurrent is the failures that came with the first, folded: they are rarely a cause of their own. */
export function Concurrent({ e }: { e: ExceptionEntry }) {
  const others = e.concurrentExceptions;
  return (
    <Card title="Followed from it" note={plural(others.length, "more failure")}>
      <ul class="followed">
        {others.map((c, i) => (
          <li key={i}>
            <details>
              <summary>
                <span class="num quiet">+{c.timestamp - e.timestamp} ms</span>
                <span class="clamp">{c.taskName ? taskOf(c.taskName) : "No task"}</span>
                <span class="quiet clamp">{headOf(c)}</span>
              </summary>
              <Where e={c} />
              <pre tabIndex={0}>{c.stacktrace}</pre>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  );
}
