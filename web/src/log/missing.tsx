import type { ApiError } from "../api";
import { sentence } from "../fmt";
import { Empty, Failed } from "../ui";

interface MissingProps {
  what: string;
  error: ApiError;
  again: () => void;
}

/** Missing is a request that failed, or, of what this process does not have at all, the reason. */
export function Missing({ what, error, again }: MissingProps) {
  if (error.status !== 404) return <Failed what={what} error={error} again={again} />;
  return (
    <Empty title={`${what} is not kept`}>
      <p class="why">{sentence(error.message)}</p>
    </Empty>
  );
}
