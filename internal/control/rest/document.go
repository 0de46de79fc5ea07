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

A program that runs its job in its own process serves it, too, if asked: ` + "`FLOTT_REST_PORT=8081 go run .`" + ` ([configuration](configuration.md)).

- *served*: as Flink does it. Where a value has no meaning for Go (class loaders, Netty's buffers) it is 0 or left out.
  Bytes are those that go over the wire: inside a worker records are handed over as they are, and count as none.
- *never triggered*: answers as Flink does where the thing has never happened; what triggers it is accepted, and then reported as failed.
- *404 with reason*: flott cannot have it, and says why.

`

const documentTail = `
` + "`/jobs/overview`, `/jobs/:jobid`, `/overview`, `/taskmanagers` and the subtasks of a vertex" + ` have a member ` + "`flott`" + ` with what Flink lacks: health and its reason, rates, slots,
what processes use. The origin of a configuration value stands beside it.

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
