import { Icon, Tabs } from "../ui";
import { levels, type Filter } from "./slog";

interface LogHeadProps {
  /** The lines have no levels. */
  plain?: boolean;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  following: boolean;
  onFollow: (following: boolean) => void;
}

const tabs = levels.map((level) => ({ id: level, title: level[0] + level.slice(1).toLowerCase() }));

/** LogHead is what stands above the lines of a log: from which level on, with which words, and whether it runs along. */
export function LogHead({ plain = false, filter, onFilter, following, onFollow }: LogHeadProps) {
  return (
    <>
      {!plain && <Tabs as="switch" label="From level" tabs={tabs} value={filter.level} onPick={(level) => onFilter({ ...filter, level })} />}
      <input
        class="input log-words"
        type="search"
        placeholder={plain ? "Filter" : "Filter, for example job=clicks"}
        aria-label="Filter the log"
        value={filter.words}
        onInput={(e) => onFilter({ ...filter, words: e.currentTarget.value })}
      />
      <button type="button" class="button" aria-pressed={following} onClick={() => onFollow(!following)}>
        <Icon name={following ? "pause" : "play"} size={12} />
        {following ? "Hold" : "Follow"}
      </button>
    </>
  );
}
