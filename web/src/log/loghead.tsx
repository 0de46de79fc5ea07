import type { LogLevel } from "../api";
import { sentence } from "../fmt";
import { Icon, Tabs } from "../ui";
import type { Filter } from "./slog";

interface LogHeadProps {
  /** Those that its lines may have; none: they are only text. */
  levels: readonly LogLevel[];
  filter: Filter;
  onFilter: (filter: Filter) => void;
  following: boolean;
  onFollow: (following: boolean) => void;
}

const tabOf = (level: LogLevel) => ({ id: level, title: sentence(level.toLowerCase()) });

/** LogHead is what stands above the lines of a log: from which level on, with which text, and whether it runs along. */
export function LogHead({ levels, filter, onFilter, following, onFollow }: LogHeadProps) {
  return (
    <>
      {levels.length > 0 && (
        <Tabs as="switch" label="From level" tabs={levels.map(tabOf)} value={filter.level} onPick={(level) => onFilter({ ...filter, level })} />
      )}
      <input
        class="input log-words"
        type="search"
        placeholder={levels.length > 0 ? "Filter, for example job=clicks" : "Filter"}
        aria-label="Filter the log"
        value={filter.text}
        onInput={(e) => onFilter({ ...filter, text: e.currentTarget.value })}
      />
      <button type="button" class="button" aria-pressed={following} onClick={() => onFollow(!following)}>
        <Icon name={following ? "pause" : "play"} size={12} />
        {following ? "Hold" : "Follow"}
      </button>
    </>
  );
}
