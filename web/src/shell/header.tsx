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

interface HeaderProps {
  area: string | undefined;
  /** There is nothing to be seen without the token. */
  locked: boolean;
  onFind: () => void;
  onHelp: () => void;
}

export function Header({ area, locked, onFind, onHelp }: HeaderProps) {
  return (
    <header class="bar">
      <a class="logo" href="#/" aria-label="flott, overview">
        <Logo />
        <span class="wide">flott</span>
      </a>
      {!locked && <Nav area={area} />}
      <span class="grow" />
      {!locked && <Status />}
      {!locked && <Find onFind={onFind} onHelp={onHelp} />}
      <ThemeButton />
    </header>
  );
}

function Nav({ area }: { area: string | undefined }) {
  const plan = useFeatures()?.flott?.plan === true; // has no processes
  return (
    <nav aria-label="Main">
      {(plan ? pages.slice(0, 1) : pages).map((p) => (
        <a key={p.href} href={p.href} aria-current={p.area === area || (area === "job" && !p.area) ? "page" : undefined}>
          {p.title}
        </a>
      ))}
    </nav>
  );
}

const Find = ({ onFind, onHelp }: { onFind: () => void; onHelp: () => void }) => (
  <>
    <button type="button" class="find" onClick={onFind} aria-label="Find a job or page" aria-keyshortcuts="/">
      <Icon name="search" size={14} />
      <span class="grow ellipsis">Find a job or page</span>
      <kbd aria-hidden="true">/</kbd>
    </button>
    <button type="button" class="icon-button wide" onClick={onHelp} aria-label="Keys" title="Keys (?)">
      <Icon name="question" />
    </button>
  </>
);

function ThemeButton() {
  const now = useCell(theme);
  return (
    <button type="button" class="icon-button theme" onClick={nextTheme} aria-label={`Theme: ${themeWords[now]}`} title={`Theme: ${themeWords[now]} (t)`}>
      <Icon name={themeIcon[now]} />
    </button>
  );
}

const Logo = () => (
  <svg class="waves" width="20" height="16" viewBox="0 0 20 16" aria-hidden="true">
    <path d="M1 4c4-3.5 5 3.5 9 0s5 3.5 9 0M1 9c4-3.5 5 3.5 9 0s5 3.5 9 0" />
    <path class="last" d="M1 14c4-3.5 5 3.5 9 0s5 3.5 9 0" />
  </svg>
);
