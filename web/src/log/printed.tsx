// What a process has printed, where it has no files for it.

import "../css/log.css";
import { useEffect, useState } from "preact/hooks";
import { at, getText, type ApiError, type ProcessPath, type Text } from "../api";
import { bytes } from "../fmt";
import { Card, Empty, Loading } from "../ui";
import { Missing } from "./missing";

/** most is how much of it is read. */
const most = 1 << 20;

export function Printed({ of }: { of: ProcessPath }) {
  const [text, set] = useState<Text | undefined>();
  const [error, fail] = useState<ApiError | undefined>();
  const read = () => {
    fail(undefined);
    getText(at.stdout(of), 0, most).then(set, fail);
  };
  useEffect(read, [of]);
  return (
    <Card
      title="Output"
      side={
        <button type="button" class="button" onClick={read}>
          Read again
        </button>
      }
    >
      {error && <Missing what="The output" error={error} again={read} />}
      {!error && !text && <Loading />}
      {!error && text && <Shown text={text} />}
    </Card>
  );
}

function Shown({ text }: { text: Text }) {
  if (text.text === "") return <Empty title="Nothing was printed" />;
  return (
    <>
      {!text.whole && <p class="log-older">Only the first {bytes(most)} are shown.</p>}
      <pre class="printed" tabIndex={0} aria-label="Output">
        {text.text}
      </pre>
    </>
  );
}
