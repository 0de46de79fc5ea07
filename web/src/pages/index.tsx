// The table of pages. A new page is a file here, and a line below; a page of a job also a line in jobPages.

import type { ComponentChildren } from "preact";
import { JobPage } from "../graph/job";
import type { Route } from "../route";
import { Checkpoints } from "./checkpoints";
import { JobConfiguration } from "./config";
import { Exceptions } from "./exceptions";
import { JobGoroutines } from "./goroutines";
import { JobManager } from "./jobmanager";
import { NotFound } from "./notfound";
import { Overview } from "./overview";
import { TaskManager } from "./taskmanager";
import { TaskManagers } from "./taskmanagers";

interface JobPageEntry {
  id: string;
  title: string;
  /** The key that leads there, on any page of the job. */
  key: string;
  /** There is something to see of a program that does not run. */
  plan?: boolean;
  /** What stands below the head of the job; the graph is the job page's own. */
  view?: (job: string) => ComponentChildren;
}

/** jobPages are the tabs of a job: #/job/ID/graph and so on. */
export const jobPages: readonly JobPageEntry[] = [
  { id: "graph", title: "Graph", key: "g j", plan: true },
  { id: "exceptions", title: "Exceptions", key: "x", view: (job) => <Exceptions job={job} /> },
  { id: "checkpoints", title: "Checkpoints", key: "c", view: (job) => <Checkpoints job={job} /> },
  { id: "config", title: "Configuration", key: "g c", plan: true, view: (job) => <JobConfiguration job={job} /> },
  { id: "goroutines", title: "Goroutines", key: "g r", view: (job) => <JobGoroutines job={job} /> },
];

/** pagesOf is the pages of a job that runs, or of one that is only planned. */
export const pagesOf = (plan: boolean): readonly JobPageEntry[] => jobPages.filter((p) => p.plan || !plan);

export function pageOf({ parts, query }: Route): ComponentChildren {
  const [area, id, tab] = parts;
  switch (area) {
    case undefined:
      return <Overview />;
    case "job":
      return id ? <JobPage job={id} tab={tab ?? "graph"} query={query} /> : <Overview />;
    case "task-manager":
      return id ? <TaskManager id={id} tab={tab ?? "overview"} /> : <TaskManagers />;
    case "job-manager":
      return <JobManager tab={id ?? "config"} />;
  }
  return <NotFound path={parts.join("/")} />;
}
