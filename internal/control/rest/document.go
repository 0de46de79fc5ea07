package rest

import (
	"fmt"
	"slices"
	"strings"
)

// Document is docs/rest.md: the table for people.
func Document() string {
	var b strings.Builder
	b.WriteString(documentHead)
	counts := map[fate]int{}
	for _, e := range endpoints {
		if !e.Beyond {
			counts[e.Fate]++
		}
	}
	fmt.Fprintf(&b, "Of Flink's %d endpoints %d are served, %d answer as if nothing had ever been triggered, and %d are 404 with the reason.\n\n",
		counts[served]+counts[never]+counts[absent], counts[served], counts[never], counts[absent])
	b.WriteString("| endpoint | query | status | flott | |\n|---|---|---|---|---|\n")
	writeRows(&b, false)
	b.WriteString("\n## Beyond Flink\n\n| endpoint | query | status | | |\n|---|---|---|---|---|\n")
	writeRows(&b, true)
	b.WriteString(documentTail)
	return b.String()
}

func writeRows(b *strings.Builder, beyond bool) {
	var rows []string
	for _, e := range endpoints {
		if e.Beyond == beyond {
			text := strings.TrimSpace(e.About + " " + e.Why)
			rows = append(rows, fmt.Sprintf("| `%s %s` | %s | %d | %s | %s |\n", e.Method, e.Path, strings.Join(e.Query, ", "), e.Status, e.Fate, text))
		}
	}
	slices.SortStableFunc(rows, func(x, y string) int { return strings.Compare(pathIn(x), pathIn(y)) })
	for _, r := range rows {
		b.WriteString(r)
	}
}

// pathIn is the path in a row, which rows are sorted by.
func pathIn(row string) string {
	_, path, _ := strings.Cut(row, " /")
	return path
}

const documentHead = `# REST

flott serves the REST API of Flink 2.3: same paths (bare and below ` + "`/v1`" + `), parameters, names, types, status codes and quirks, so that Flink's
dashboard and command line, and programs that watch Flink, can be pointed at it. This page is generated from the table of endpoints
(` + "`internal/control/rest/table.go`" + `); the same as an OpenAPI document: ` + "`GET /flott/openapi.json`" + `.

Tried by hand against a flott cluster: all pages of Flink 2.3's dashboard, and ` + "`flink list`, `cancel`, `stop`, `savepoint`, `checkpoint` and `run`" + ` of its
command line; what would need checkpoints, rescaling or jars is refused there with the reason.

A program that runs its job in its own process serves it, too, if asked: ` + "`FLOTT_REST_PORT=8081 go run .`" + ` ([configuration](configuration.md)).

- *served*: as Flink does it. Where a value has no meaning for Go (class loaders, Netty's buffers) it is 0 or left out.
  Bytes are those that go over the wire: inside a worker records are handed over as they are, and count as none.
- *never triggered*: answers as Flink does where the thing has never happened; what triggers it is accepted, and then reported as failed.
- *404 with reason*: flott cannot have it, and says why.

`

const documentTail = `
` + "`/jobs/overview`, `/jobs/:jobid`, `/overview`, `/taskmanagers` and the subtasks of a vertex" + ` have a member ` + "`flott`" + ` with what Flink lacks: health and its reason, rates and a short
series of them, how far event time is behind the clock, slots, what processes use, what has happened lately. The origin of a configuration value stands beside it.

## Events

` + "`GET /flott/events`" + ` is one stream of server-sent events for all that a page shows: of the overview, or with ` + "`?job=ID`" + ` of a job.

- *frame*, each second, also when nothing is new: ` + "`{\"now\": ..., \"seq\": ..., \"vertices\": {...}, \"edges\": {...}, \"jobs\": [...]}`" + `. A vertex has columns with a value for each
  subtask: ` + "`busy`" + `, ` + "`bp`" + ` and ` + "`idle`" + ` in milliseconds a second, ` + "`in`" + ` and ` + "`out`" + ` in records a second, ` + "`bytes`" + ` that go out, ` + "`state`" + `, ` + "`watermark`" + `.
  ` + "`edges`" + ` has the records a second that operators send, by their number in the stream graph. The first frame has everything, later ones only what
  has changed: with ` + "`\"subtasks\": [...]`" + ` the columns are of those subtasks only, and a column that is not there is as it was. A frame has 2,000
  subtasks at most; the others come with the next ones. ` + "`jobs`" + ` has the figures of the job as a
  whole when they have changed; in a frame of the overview, which has no vertices, those of each job whose figures have.
- *job*: a job has come into another state, or is new; at once, where the job has begun to run, starts again or has ended. The frame of the same second has not its figures once more.
- *diagnosis*: the answer to ` + "`GET /jobs/:jobid/flott/diagnosis`" + ` when it has changed.
- *cluster*, of the overview: the answer to ` + "`GET /overview`" + ` when it has changed. Its events are those that are new.
- *log*, with ` + "`log=SEQ`" + `: lines of the log after that one, in the form of ` + "`GET /jobmanager/flott/log`" + `.

The id of an event is its number. A client that connects again with ` + "`Last-Event-ID`" + ` goes on counting, and gets everything anew.

## History

` + "`GET /jobs/:jobid/flott/history`" + ` is what a job did in the last hour, a number every ten seconds: of the job (` + "`rps`" + `, ` + "`lag`" + `), or with ` + "`vertex=ID`" + ` of its
subtasks (` + "`busy`" + `, ` + "`bp`" + `, ` + "`idle`" + `, ` + "`in`" + `, ` + "`out`" + `, ` + "`bytesIn`" + `, ` + "`bytesOut`" + `, ` + "`lag`" + ` of event time in milliseconds, ` + "`late`" + ` records a second). ` + "`lanes`" + ` says whose each curve is:
a subtask's, or above 64 subtasks percentiles over them, unless ` + "`subtask=N`" + ` asks for one. Jobs with more than 2,000 subtasks have percentiles only.
All jobs together take 64 MB at most; what does not fit is not kept. Longer times are a matter for Prometheus.

## Failures

Each entry of ` + "`GET /jobs/:jobid/exceptions`" + ` has in ` + "`flott`" + ` the operator at work, how many tasks failed with it, the frames of a panic's stack
(` + "`user`" + ` marks code that is neither Go's nor flott's), what starts again, and when: *failed*, *due*, *deployed*, *running*. ` + "`exceptionName`" + ` is the Go type of the
user's error, or what happened to flott: *panic*, *worker lost*, *worker out of memory*, *TaskManager lost*, *connection lost*, *too few slots*,
*other program*, *user code stuck*, *goroutine ended*. A worker or TaskManager that is lost is a failure of each task there: the first is the entry, up to 16 more are
in ` + "`concurrentExceptions`" + `.

## Examples

With the JobManager at 127.0.0.1:8081, and in ` + "`$JOB`" + ` the id of a job, which ` + "`flott list`" + ` prints. Of a cluster with a token each call needs
` + "`-H \"Authorization: Bearer $TOKEN\"`" + `, too.

` + "```sh" + `
# How many TaskManagers, slots and jobs there are.
curl http://127.0.0.1:8081/overview
# Cancels a job. The answer, 202, comes at once, the end of the job later.
curl -X PATCH "http://127.0.0.1:8081/jobs/$JOB?mode=cancel"
# Whether each running job makes progress: fails (503) if not.
curl --fail-with-body http://127.0.0.1:8081/flott/health
# What the workers of a job compute in ten seconds.
curl -o cpu.pprof "http://127.0.0.1:8081/jobs/$JOB/flott/profile?kind=cpu&seconds=10" && go tool pprof -top cpu.pprof
` + "```" + `

## Who may ask

Without a token the server listens on the loopback interface only, and refuses with 403 what would change something (also
` + "`GET .../yarn-cancel`" + `) when a browser sends it for a page of another site (` + "`Origin`, `Sec-Fetch-Site`" + `). Programs that send neither header are served.
Beyond loopback every request needs ` + "`Authorization: Bearer TOKEN`" + `; without it the answer is 401. Pages of other sites may read
(` + "`Access-Control-Allow-Origin: *`" + `) only answers to GET that change nothing, and only where no token is set.

## Health

` + "`GET /flott/health`" + ` is 503 and red when a running job makes no progress: a task has work and has done nothing of it for a minute, its
watermark stands while records go through, or it restarts again and again for the same reason. The reason names the task. A job
without input is not red. All that is found, with advice and figures, is ` + "`GET /jobs/:jobid/flott/diagnosis`" + `: [diagnosis](diagnosis.md). To ask only whether the JobManager answers, use ` + "`GET /overview`" + `.

## Metrics

` + "`GET /metrics`" + ` is for Prometheus, with the names and labels of Flink's reporter, all from the JobManager. A scrape has
at most 30,000 series: after the first 20,000 tasks give sums over their subtasks, and when even those are too many the last jobs give
nothing of their tasks, and ` + "`flink_jobmanager_flott_seriesLeftOut`" + ` says how many series that are. Jobs that are over give none.
`
