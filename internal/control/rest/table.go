package rest

import (
	"fmt"
	"net/http"
	"reflect"
)

// Whose process an endpoint is about.
var (
	ofJobManager  = whose((*call).jobManagerProcess)
	ofTaskManager = whose((*call).managerProcess)
)

const (
	noJars      = "flott runs Go programs: there are no jars. `flott run DIR` builds and submits one."
	noRescaling = "flott does not change the parallelism of a running job yet."
)

// endpoints is the table. Flink's come first, in the order of its documentation; init appends those beyond Flink (init breaks the
// circle between the table and what is made from it).
var endpoints []*endpoint

func init() {
	endpoints = append(flinkEndpoints(), flottEndpoints()...)
	for _, e := range endpoints {
		if e.Changes && e.Method == http.MethodGet {
			changing[e.pattern()] = true
		}
	}
}

func flinkEndpoints() []*endpoint {
	var all []*endpoint
	for _, group := range [][]*endpoint{
		clusterEndpoints(), jobEndpoints(), checkpointEndpoints(), vertexEndpoints(),
		managerEndpoints(), applicationEndpoints(), rescaleEndpoints(), jarEndpoints(),
	} {
		all = append(all, group...)
	}
	return all
}

func clusterEndpoints() []*endpoint {
	return []*endpoint{
		{Method: http.MethodGet, Path: anyFile, About: "The files of the page, where there is one; else 404 in Flink's form.", Fate: served, Status: http.StatusOK, Media: "text/html"},
		get("/overview", "TaskManagers, slots, and jobs by state.", (*call).overview),
		get("/config", "What the dashboard reads first: its refresh interval, the version, which buttons there are.", (*call).dashboard),
		do(http.MethodDelete, "/cluster", http.StatusOK, "Shuts the cluster down.", (*call).shutdown),
		get("/jobmanager/config", "The configuration, secrets masked.", (*call).config),
		get("/jobmanager/environment", "Go's runtime and modules, under Flink's words for Java's.", (*call).environment),
		plain("/jobmanager/log", "The main log.", ofJobManager.log),
		get("/jobmanager/logs", "The log files.", ofJobManager.logs),
		plain("/jobmanager/logs/:filename", "A log file. With the header Log-Offset, which Flink has not, from that byte on.", ofJobManager.log),
		plain("/jobmanager/stdout", "What the process prints.", ofJobManager.stdout),
		get("/jobmanager/metrics", "Metrics by name; without get the names.", (*call).jobManagerMetrics).query("get"),
		get("/jobmanager/thread-dump", "The stacks of all goroutines.", ofJobManager.threads),
		get("/jobmanager/profiler", "The newest profiles.", ofJobManager.listProfiles),
		doProfile("/jobmanager/profiler", ofJobManager),
		profileFile("/jobmanager/profiler/:filename", ofJobManager),
		get("/datasets", "Cached results of jobs.", (*call).dataSets).untriggered("flott keeps no results of jobs."),
		do(http.MethodDelete, "/datasets/:datasetid", http.StatusAccepted, "Drops a cached result.", (*call).deleteDataSet).untriggered("flott keeps no results of jobs: there is nothing to drop, and that succeeds."),
		get("/datasets/delete/:triggerid", "Whether that is done.", pollFor("data set deletion")).untriggered("flott keeps no results of jobs."),
	}
}

func doProfile(path string, of whose) *endpoint {
	e := do(http.MethodPost, path, http.StatusOK, "Starts a profile: mode CPU, ITIMER, WALL, ALLOC or LOCK, for some seconds.", of.startProfile)
	e.Request = reflect.TypeFor[profilingRequestBody]()
	return e
}

func profileFile(path string, of whose) *endpoint {
	e := plain(path, "A profile, for go tool pprof.", of.profileFile)
	e.Media = profileContentType
	return e
}

// pollFor asks about operations of one kind.
func pollFor(kind string) func(*call) (operationBody, error) {
	return func(c *call) (operationBody, error) { return c.poll(kind) }
}

func jobEndpoints() []*endpoint {
	return []*endpoint{
		get("/jobs", "Ids and states of all jobs.", (*call).jobs),
		missing(http.MethodPost, "/jobs", "The plan of a job for Flink is a Java object, which flott cannot read. `flott run` submits jobs, by POST /flott/jobs."),
		get("/jobs/overview", "A row for each job.", (*call).jobsOverview),
		get("/jobs/metrics", "Metrics over all running jobs.", (*call).jobsMetrics).query("get", "agg", "jobs"),
		get("/jobs/:jobid", "A job with its vertices, what went through them, and its plan.", (*call).jobDetails),
		do(http.MethodPatch, "/jobs/:jobid", http.StatusAccepted, "Cancels the job (mode=cancel).", (*call).patchJob).query("mode"),
		get("/jobs/:jobid/yarn-cancel", "Cancels the job, for those who can only GET.", func(c *call) (none, error) { return c.cancel() }).changes().accepted(),
		get("/jobs/:jobid/yarn-stop", "Was removed; answers as Flink does.", func(c *call) (none, error) { return c.stopRemoved() }).changes(),
		get("/jobs/:jobid/status", "The job's state.", (*call).status),
		get("/jobs/:jobid/plan", "The job's plan.", (*call).plan),
		get("/jobs/:jobid/config", "How the program is run.", (*call).jobConfig),
		get("/jobs/:jobid/exceptions", "The newest failures.", (*call).exceptions).query("maxExceptions", "failureLabelFilter"),
		get("/jobs/:jobid/execution-result", "What became of the job.", (*call).executionResult),
		get("/jobs/:jobid/accumulators", "Accumulators; flott has none.", (*call).accumulators).query("includeSerializedValue"),
		get("/jobs/:jobid/metrics", "Metrics by name; without get the names.", (*call).jobMetrics).query("get"),
		get("/jobs/:jobid/jobmanager/config", "The configuration.", (*call).jobManagerConfig),
		get("/jobs/:jobid/jobmanager/environment", "As /jobmanager/environment.", (*call).jobEnvironment),
		get("/jobs/:jobid/jobmanager/log-url", "Where the log is.", (*call).jobManagerLogURL),
		get("/jobs/:jobid/taskmanagers/:taskmanagerid/log-url", "Where the log of a TaskManager is.", (*call).managerLogURL),
		do(http.MethodPatch, "/jobs/:jobid/clientHeartbeat", http.StatusAccepted, "Says that the client is alive. Jobs of flott do not end with their clients.", (*call).heartbeat),
		missing(http.MethodPost, "/jobs/:jobid/coordinators/:operatorUid", "A request to a coordinator is a Java object, which flott cannot read."),
	}
}

type jobClientHeartbeatRequestBody struct {
	Expired int64 `json:"expiredTimestamp"`
}

func (c *call) heartbeat(jobClientHeartbeatRequestBody) (none, error) {
	_, err := c.jobID()
	return none{}, err
}

// accepted marks a GET that is answered as what only begins.
func (e *endpoint) accepted() *endpoint {
	e.Status = http.StatusAccepted
	return e
}

func checkpointEndpoints() []*endpoint {
	const why = "flott takes no checkpoints yet."
	all := []*endpoint{
		get("/jobs/:jobid/checkpoints", "Checkpoints so far.", (*call).checkpoints),
		do(http.MethodPost, "/jobs/:jobid/checkpoints", http.StatusAccepted, "Takes a checkpoint.", (*call).triggerCheckpoint),
		get("/jobs/:jobid/checkpoints/:triggerid", "Whether that is done.", (*call).pollCheckpoint),
		get("/jobs/:jobid/checkpoints/config", "When checkpoints are taken.", (*call).checkpointConfig),
		get("/jobs/:jobid/checkpoints/details/:checkpointid", "One checkpoint.", (*call).checkpoint),
		get("/jobs/:jobid/checkpoints/details/:checkpointid/subtasks/:vertexid", "One checkpoint of one vertex.", (*call).checkpoint),
		do(http.MethodPost, "/jobs/:jobid/savepoints", http.StatusAccepted, "Takes a savepoint.", (*call).triggerSavepoint),
		get("/jobs/:jobid/savepoints/:triggerid", "Whether that is done.", pollFor("savepoint")),
		do(http.MethodPost, "/jobs/:jobid/stop", http.StatusAccepted, "Takes a savepoint and ends the job.", (*call).stopWithSavepoint),
		do(http.MethodPost, "/savepoint-disposal", http.StatusOK, "Deletes a savepoint.", (*call).disposeSavepoint),
		get("/savepoint-disposal/:triggerid", "Whether that is done.", pollFor("savepoint disposal")),
	}
	for _, e := range all {
		e.untriggered(why)
	}
	return all
}

func vertexEndpoints() []*endpoint {
	const vertex = "/jobs/:jobid/vertices/:vertexid"
	const subtask = vertex + "/subtasks/:subtaskindex"
	return []*endpoint{
		get(vertex, "A vertex with its subtasks.", (*call).vertexDetails),
		get(vertex+"/accumulators", "Accumulators; flott has none.", (*call).vertexAccumulators),
		get(vertex+"/backpressure", "Busy, idle and back-pressured shares of each subtask.", (*call).backPressure),
		get(vertex+"/flamegraph", "Where subtasks spend their time: type full, on_cpu, off_cpu.", (*call).flameGraph).query("type", "subtaskindex"),
		get(vertex+"/jm-operator-metrics", "Metrics of the vertex's coordinators.", (*call).coordinatorMetrics).query("get"),
		get(vertex+"/metrics", "Metrics of all subtasks, as INDEX.NAME.", (*call).vertexMetrics).query("get"),
		get(vertex+"/subtasks/accumulators", "Accumulators; flott has none.", (*call).subtasksAccumulators),
		get(vertex+"/subtasks/metrics", "Metrics over subtasks: min, max, avg, sum, skew.", (*call).subtasksMetrics).query("get", "agg", "subtasks"),
		get(subtask, "A subtask's current attempt.", (*call).subtaskDetails),
		get(subtask+"/attempts/:attempt", "An attempt of a subtask.", (*call).attemptDetails),
		get(subtask+"/attempts/:attempt/accumulators", "Accumulators; flott has none.", (*call).attemptAccumulators),
		get(subtask+"/metrics", "Metrics of a subtask by name; without get the names.", (*call).subtaskMetrics).query("get"),
		get(vertex+"/subtasktimes", "When each subtask entered each state.", (*call).subtaskTimes),
		get(vertex+"/taskmanagers", "The vertex by TaskManager.", (*call).vertexManagers),
		get(vertex+"/watermarks", "Watermarks of the subtasks.", (*call).watermarks),
	}
}

func managerEndpoints() []*endpoint {
	const manager = "/taskmanagers/:taskmanagerid"
	return []*endpoint{
		get("/taskmanagers", "The TaskManagers that are connected.", (*call).managers),
		get("/taskmanagers/metrics", "Metrics over TaskManagers.", (*call).managersMetrics).query("get", "agg", "taskmanagers"),
		get(manager, "A TaskManager with its slots.", (*call).managerDetails),
		plain(manager+"/log", "Its main log.", ofTaskManager.log),
		get(manager+"/logs", "Its log files, those of its workers too.", ofTaskManager.logs),
		plain(manager+"/logs/:filename", "A log file. With the header Log-Offset, which Flink has not, from that byte on.", ofTaskManager.log),
		plain(manager+"/stdout", "What its workers print.", ofTaskManager.stdout),
		get(manager+"/metrics", "Metrics by name; without get the names.", (*call).managerMetrics).query("get"),
		get(manager+"/thread-dump", "The stacks of all goroutines.", ofTaskManager.threads),
		get(manager+"/profiler", "The newest profiles.", ofTaskManager.listProfiles),
		doProfile(manager+"/profiler", ofTaskManager),
		profileFile(manager+"/profiler/:filename", ofTaskManager),
	}
}

func applicationEndpoints() []*endpoint {
	const application = "/applications/:applicationid"
	return []*endpoint{
		get("/applications/overview", "A row for each application: every job is one.", (*call).applications),
		get(application, "An application with its jobs.", (*call).applicationDetails),
		do(http.MethodPost, application+"/cancel", http.StatusAccepted, "Cancels it.", (*call).cancelApplication),
		get(application+"/exceptions", "Why it has failed.", (*call).applicationExceptions),
		get(application+"/jobmanager/config", "The configuration.", (*call).applicationConfig),
	}
}

// rescaleEndpoints answer as Flink's do for a job of the Default scheduler.
func rescaleEndpoints() []*endpoint {
	const job = "/jobs/:jobid"
	return []*endpoint{
		get(job+"/resource-requirements", "Bounds of parallelism. 500, as Flink's Default scheduler.", (*call).requirements),
		do(http.MethodPut, job+"/resource-requirements", http.StatusOK, "Sets them. 500, as Flink's Default scheduler.", func(c *call, _ none) (none, error) { return c.requirements() }),
		do(http.MethodPatch, job+"/rescaling", http.StatusOK, "Flink's old way to rescale, switched off there too (503).", func(c *call, _ none) (none, error) { return none{}, rescalingDisabled }).query("parallelism"),
		get(job+"/rescaling/:triggerid", "Flink's old way to rescale, switched off there too (503).", func(*call) (none, error) { return none{}, rescalingDisabled }),
		unscaled(job+"/rescales/config", handlerException+"AdaptiveScheduler is not enabled for this job (%s)."),
		unscaled(job+"/rescales/details/:rescaleuuid", rescalesUnavailable),
		unscaled(job+"/rescales/history", rescalesUnavailable),
		unscaled(job+"/rescales/overview", rescalesUnavailable),
		unscaled(job+"/rescales/summary", rescalesUnavailable),
	}
}

const rescalesUnavailable = "org.apache.flink.runtime.rest.handler.job.rescales.RescalesUnavailableException: The job `%s` has not enabled the `Adaptive` scheduler, " +
	"or it has been enabled but the value of configuration option `web.adaptive-scheduler.rescale-history.size` has not been set to greater than `0`."

// unscaled is an endpoint that is 404 in Flink, too, unless a job has the Adaptive scheduler.
func unscaled(path, why string) *endpoint {
	e := missing(http.MethodGet, path, noRescaling)
	e.serve = func(_ *Server, _ http.ResponseWriter, c *call) error {
		j, err := c.job()
		if err != nil {
			return err
		}
		return &failure{http.StatusNotFound, []string{fmt.Sprintf(why, j.ID)}}
	}
	return e
}

var rescalingDisabled = refuse(http.StatusServiceUnavailable, "Rescaling is temporarily disabled. See FLINK-12312.")

func (c *call) requirements() (none, error) {
	return none{}, internal("java.lang.UnsupportedOperationException: The DefaultScheduler does not support changing the parallelism without a job restart. This feature is currently only expected to work with the AdaptiveScheduler.")
}

func jarEndpoints() []*endpoint {
	return []*endpoint{
		missing(http.MethodGet, "/jars", noJars),
		missing(http.MethodPost, "/jars/upload", noJars),
		missing(http.MethodDelete, "/jars/:jarid", noJars),
		missing(http.MethodGet, "/jars/:jarid/plan", noJars).query("entry-class", "parallelism", "programArg"),
		missing(http.MethodPost, "/jars/:jarid/plan", noJars).query("entry-class", "parallelism", "programArg"),
		missing(http.MethodPost, "/jars/:jarid/run", noJars).query("allowNonRestoredState", "entry-class", "parallelism", "programArg", "savepointPath"),
		missing(http.MethodPost, "/jars/:jarid/run-application", noJars).query("allowNonRestoredState", "entry-class", "parallelism", "programArg", "savepointPath"),
	}
}

// A raw serve function writes its answer itself.
type raw func(s *Server, w http.ResponseWriter, c *call) error

func own(method, path string, status int, about string, serve raw) *endpoint {
	return &endpoint{Method: method, Path: path, About: about, Fate: served, Status: status, Changes: method == http.MethodPut, serve: serve}
}

func flottEndpoints() []*endpoint {
	events := own(http.MethodGet, "/flott/events", http.StatusOK, "Server-sent events, one stream a page: frame once a second, job on a new state, diagnosis and cluster when they have changed, log with new lines.", serveEvents).query("job", "log")
	events.Media = "text/event-stream"
	output := own(http.MethodGet, "/flott/jobs/:jobid/output", http.StatusOK, "What the job prints, as it prints it, from an offset on; 416 with Output-Offset if that is not kept any more.", serveOutput).query("offset")
	output.Media = "text/plain; charset=utf-8"
	health := own(http.MethodGet, "/flott/health", http.StatusOK, "Green, amber, unknown, or red (503) when a running job makes no progress, and why.", serveHealth)
	health.Answer = reflect.TypeFor[healthBody]()
	profile := plain("/jobs/:jobid/flott/profile", "A profile of all workers of the job as one, for go tool pprof: kind is cpu (over seconds), goroutine, heap, allocs, mutex or block.", (*call).workersProfile).query("kind", "seconds")
	profile.Media = profileContentType
	put := own(http.MethodPut, "/flott/blobs/:hash", http.StatusCreated, "Adds to an executable (Content-Range); 308 with Upload-Offset while something is missing.", serveBlobPut)
	put.Answer = reflect.TypeFor[blobBody]()
	metrics := own(http.MethodGet, "/metrics", http.StatusOK, "Metrics for Prometheus.", func(s *Server, w http.ResponseWriter, c *call) error {
		s.metrics.ServeHTTP(w, c.Request)
		return nil
	})
	metrics.Media = "text/plain; version=0.0.4"
	openAPI := own(http.MethodGet, "/flott/openapi.json", http.StatusOK, "This API as an OpenAPI document.", func(s *Server, w http.ResponseWriter, c *call) error {
		s.answer(w, c, http.StatusOK, OpenAPI(s.options.Version))
		return nil
	})
	openAPI.Answer = reflect.TypeFor[map[string]any]()
	all := []*endpoint{
		get("/jobs/:jobid/flott/diagnosis", "What is wrong with the job, in sentences with the figures they rest on: see docs/diagnosis.md.", (*call).diagnosis),
		get("/jobs/:jobid/flott/history", "Figures over the last hour, of the job, a vertex or a subtask: a number every ten seconds; of many subtasks percentiles.", (*call).seriesOf).query("vertex", "subtask", "names"),
		get("/jobs/:jobid/vertices/:vertexid/flott/watermarks", "For each subtask how far its event time has come, who holds it back, and on which way.", (*call).held),
		get("/jobs/:jobid/flott/graphs", "The four graphs of the job with placement, and for each unchained edge why.", (*call).graphs),
		events, health, profile,
		get("/jobmanager/flott/log", "The newest lines of the log that are after a number, of a level at least, and have a text in them.", (*call).ownLines).query("after", "level", "q", "limit"),
		get("/taskmanagers/:taskmanagerid/flott/log", "The same of a log file of a TaskManager: its own, or that of a worker.", ofTaskManager.lines).query("after", "level", "q", "limit", "file"),
		plain("/jobs/:jobid/flott/goroutines", "The stacks of all goroutines of the job's workers.", (*call).workersGoroutines),
		own(http.MethodHead, "/flott/blobs/:hash", http.StatusOK, "How much of an executable is there (Upload-Offset); 404 while something is missing.", serveBlobHead),
		put,
		do(http.MethodPost, "/flott/jobs", http.StatusAccepted, "Runs a job. With a job id of the client's it can be asked for twice.", (*call).submit),
		output,
		get("/flott/jobs/:jobid/result", "Waits for the end of the job, and says what became of it.", (*call).result),
		get("/flott/jobs/:jobid/progress", "What the job has counted so far, in the form of its result.", (*call).progress),
		metrics, openAPI,
	}
	for _, e := range all {
		e.beyond()
	}
	return all
}
