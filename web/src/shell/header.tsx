import { useCell } from "../cell";
import { useFeatures } from "../store";
import { Icon, type IconName } from "../ui";
import { Status } from "./status";
import type { Theme } from "./theme";
import { nextTheme, theme } from "./themeswitch";

const pages = [
  { area: undefined, href: "#/", title: "Overview" },
  { area: "task-manager", href: "#/task-manager", title: "TaskManagers" },
  { area: "job-manager", href: "#/job-manager", title: "JobManager" },
];

const themeIcon: Record<Theme, IconName> = { auto: "auto", light: "sun", dark: "moon" };
const themeWords: Record<Theme, string> = { auto: "as the system has it", light: "light", dark: "dark" };

export function Header({ area, onFind, onHelp }: { area: string | undefined; onFind: () => void; onHelp: () => void }) {
  const now = useCell(theme);
  const plan = useFeatures()?.flott?.plan === true; // has no processes
  return (
    <header class="bar">
      <a class="logo" href="#/" aria-label="flott, overview">
        <Logo />
        <span class="wide">flott</span>
      </a>
      <nav aria-label="Main">
        {(plan ? pages.slice(0, 1) : pages).map((p) => (
          <a key={p.href} href={p.href} aria-current={p.area === area || (area === "job" && !p.area) ? "page" : undefined}>
            {p.title}
          </a>
        ))}
      </nav>
      <span class="grow" />
      <Status />
      <button type="button" class="find" onClick={onFind} aria-label="Find a job or page" aria-keyshortcuts="/">
        <Icon name="search" size={14} />
        <span class="grow ellipsis">Find a job or page</span>
        <kbd aria-hidden="true">/</kbd>
      </button>
      <button type="button" class="icon-button wide" onClick={onHelp} aria-label="Keys" title="Keys (?)">
        <Icon name="question" />
      </button>
      <button type="button" class="icon-button theme" onClick={nextTheme} aria-label={`Theme: ${themeWords[now]}`} title={`Theme: ${themeWords[now]} (t)`}>
        <Icon name={themeIcon[now]} />
      </button>
    </header>
  );
}

const Logo = () => (
  <svg class="waves" width="20" height="16" viewBox="0 0 20 16" aria-hidden="true">
    <path d="M1 4c4-3.5 5 3.5 9 0s5 3.5 9 0M1 9c4-3.5 5 3.5 9 0s5 3.5 9 0" />
    <path class="last" d="M1 14c4-3.5 5 3.5 9 0s5 3.5 9 0" />
  </svg>
);
