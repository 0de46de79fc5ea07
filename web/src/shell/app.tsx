import { useEffect, useState } from "preact/hooks";
import { signedOut } from "../api";
import { useCell } from "../cell";
import { follow } from "../feed";
import { useKeys, type Key } from "../keys";
import { pageOf } from "../pages";
import { SignIn } from "../pages/signin";
import { go, useRoute, type Route } from "../route";
import { useFeatures, useLink } from "../store";
import { announcement } from "../title";
import { Boundary } from "../ui";
import { Header } from "./header";
import { Help } from "./help";
import { Lost } from "./lost";
import { Palette } from "./palette";
import { nextTheme } from "./themeswitch";

/** The App is the shell: the head, one page, and what lies over it. */
export function App() {
  const route = useRoute();
  const [over, show] = useState<"find" | "help" | undefined>();
  // A dialog says a moment after its end that it has closed: there may be another one by then.
  const hide = (what: "find" | "help") => () => show((now) => (now === what ? undefined : now));
  const { status } = useLink();
  const locked = useCell(signedOut);
  const job = route.parts[0] === "job" ? route.parts[1] : undefined;
  const log = route.parts[0] === "job-manager" && route.parts[1] === "logs";

  useEffect(() => follow({ job, log }), [job, log]);
  useEffect(() => void (document.documentElement.dataset.link = status), [status]);
  useFocusOnPage(route);

  return (
    <>
      <Everywhere locked={locked} onFind={() => show("find")} onHelp={() => show("help")} />
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <Header area={route.parts[0]} locked={locked} onFind={() => show("find")} onHelp={() => show("help")} />
      {status === "lost" && !locked && <Lost />}
      <main id="main" tabIndex={-1}>
        <Boundary page key={route.parts.slice(0, 2).join("/")}>{locked ? <SignIn /> : pageOf(route)}</Boundary>
      </main>
      <Announcer />
      {over === "find" && <Palette onClose={hide("find")} onHelp={() => show("help")} />}
      {over === "help" && <Help onClose={hide("help")} />}
    </>
  );
}

/** Everywhere has the keys of the shell. It comes before the page, whose keys win over these. */
function Everywhere({ locked, onFind, onHelp }: { locked: boolean; onFind: () => void; onHelp: () => void }) {
  const plan = useFeatures()?.flott?.plan === true; // has no processes
  const theme = { key: "t", does: "theme: as the system, light, dark", run: nextTheme };
  const all = [
    { key: "/", does: "find a job, page or action", run: onFind },
    { key: "Ctrl+k", does: "find a job, page or action", run: onFind },
    { key: "g o", does: "overview", run: () => go([]) },
    ...(plan ? [] : processes),
    theme,
    { key: "?", does: "this list", run: onHelp },
  ];
  useKeys("Everywhere", locked ? [theme] : all);
  return null;
}

const processes: readonly Key[] = [
  { key: "g t", does: "TaskManagers", run: () => go(["task-manager"]) },
  { key: "g l", does: "log of the JobManager", run: () => go(["job-manager", "logs"]) },
];

/** The hash is the route's, so that the link may not go there by itself. */
function skip(e: Event): void {
  e.preventDefault();
  document.getElementById("main")?.focus();
}

/** useFocusOnPage starts a new page at its top, for the eyes and for the keyboard. */
function useFocusOnPage(route: Route): void {
  const page = route.parts.slice(0, 2).join("/");
  const [shown, set] = useState(page);
  useEffect(() => {
    if (page === shown) return;
    set(page);
    scrollTo(0, 0);
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [page]);
}

function Announcer() {
  return (
    <p class="hidden" aria-live="polite">
      {useCell(announcement)}
    </p>
  );
}
