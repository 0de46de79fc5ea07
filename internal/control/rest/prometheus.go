package rest

import (
	"context"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// # Metrics for Prometheus
//
// Names and labels are those of Flink's reporter, so that its dashboards draw flott's jobs: flink_jobmanager_numRunningJobs,
// flink_taskmanager_job_task_operator_numRecordsIn. All come from the JobManager, which knows all, in place of each process. Their
// number is bounded: when there are many tasks give sums over their subtasks, without the label subtask_index, and when there are very
// many jobs the last ones give nothing of their tasks; flink_jobmanager_flott_seriesLeftOut says how many series that are. Only jobs that
// are not over are there.

const (
	manySeries = 20_000 // after so many tasks give sums
	mostSeries = 30_000 // that a scrape has, but for the one that says how many are left out
)

// A collector reads the snapshot at each scrape.
type promCollector struct{ server *Server }

// Describe describes nothing: which metrics there are depends on the jobs.
func (promCollector) Describe(chan<- *prometheus.Desc) {}

// Collect sends all metrics.
func (p promCollector) Collect(to chan<- prometheus.Metric) {
	ctx, end := context.WithTimeout(context.Background(), 10*time.Second)
	defer end()
	x := &exposition{server: p.server, to: to, host: jobManagerHost(p.server.source)}
	if err := x.all(ctx); err != nil {
		to <- prometheus.NewInvalidMetric(prometheus.NewDesc("flink_up", "Whether the cluster can be asked.", nil, nil), err)
	}
}

// metricsHandler serves /metrics.
func metricsHandler(s *Server) http.Handler {
	r := prometheus.NewRegistry()
	r.MustRegister(promCollector{s})
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{})
}

// An exposition is one scrape.
type exposition struct {
	server *Server
	to     chan<- prometheus.Metric
	host   labels // of the JobManager
	series int
	left   int // series that are too many
}

// A labels is names and values of labels, in turn.
type labels []string

// jobManagerHost is the host by which TaskManagers reach the JobManager; none where they are in its process.
func jobManagerHost(s view.Source) labels {
	for _, c := range s.Config() {
		if c.Key == "jobmanager.rpc.address" {
			return labels{"host", c.Value}
		}
	}
	return nil
}

func (x *exposition) all(ctx context.Context) error {
	managers, err := x.server.source.TaskManagers(ctx)
	if err != nil {
		return err
	}
	jobs, err := x.server.source.Jobs(ctx)
	if err != nil {
		return err
	}
	x.send("flink_jobmanager_", clusterMetrics(managers, jobs), x.host)
	if f, err := x.server.source.JobManager().Figures(ctx); err == nil {
		x.send("flink_jobmanager_", processMetrics(f), x.host)
	}
	for _, t := range managers {
		of := labels{"tm_id", t.ID, "host", t.Host}
		x.send("flink_taskmanager_", processMetrics(t.Process), of)
		x.workers(t, of)
	}
	x.jobs(ctx, slices.DeleteFunc(slices.Clone(jobs), func(j *view.Job) bool { return j.State.Terminal() }))
	if x.left > 0 {
		x.series = 0 // there is room for this one
		x.send("flink_jobmanager_", []metric{count("flott.seriesLeftOut", int64(x.left))}, nil)
	}
	return nil
}

// workers is what the workers of a TaskManager use. Each has the slots of one job.
func (x *exposition) workers(t *view.TaskManager, of labels) {
	seen := map[id.Job]bool{{}: true}
	for i := range t.Slots {
		if s := &t.Slots[i]; !seen[s.Job] {
			seen[s.Job] = true
			x.send("flink_taskmanager_job_", workerMetrics(s.Worker), append(of[:len(of):len(of)], "job_id", s.Job.String()))
		}
	}
}

// jobs is the jobs, and then what they consist of.
func (x *exposition) jobs(ctx context.Context, all []*view.Job) {
	for i, listed := range all {
		if j, err := x.server.history.job(ctx, listed.ID); err == nil {
			all[i] = j // else it was over a moment ago
		}
		of := append(x.host[:len(x.host):len(x.host)], labelsOf(all[i])...)
		x.send("flink_jobmanager_job_", jobMetrics(all[i], now()), of)
		x.send("flink_jobmanager_job_", []metric{count("health", int64(badness[x.server.health.job(all[i]).Status]))}, of)
	}
	for _, j := range all {
		x.vertices(j)
	}
}

func labelsOf(j *view.Job) labels { return labels{"job_id", j.ID.String(), "job_name", j.Graph.Name} }

func (x *exposition) vertices(j *view.Job) {
	of := labelsOf(j)
	for v := range j.Vertices {
		p := place{j, v, &j.Graph.Vertices[v], &j.Vertices[v]}
		x.vertex(p, append(of[:len(of):len(of)], "task_id", p.graph.ID.String(), "task_name", p.graph.Name))
	}
}

// perSubtask is about how many series a subtask has.
func perSubtask(p place) int { return 20 + 8*len(p.graph.Chain) }

func (x *exposition) vertex(p place, of labels) {
	if n := perSubtask(p) * len(p.now.Subtasks); x.series+n > manySeries {
		x.sums(p, of)
		return
	}
	for i, a := range current(p.now) {
		r, ok := x.server.history.rates(p, i, a)
		if !ok {
			continue
		}
		sub := append(of[:len(of):len(of)], "subtask_index", strconv.Itoa(i), "task_attempt_num", strconv.Itoa(a.Execution.Attempt), "tm_id", a.TaskManager, "host", a.Host)
		x.send("flink_taskmanager_job_task_", taskMetrics(p, a, r), sub)
		x.operators(p, a, r, sub)
	}
}

func (x *exposition) operators(p place, a *view.Attempt, r rates, of labels) {
	for i := range min(len(a.Metrics.Operators), len(p.graph.Chain)) {
		o := &p.graph.Chain[i]
		prefix := wordless.ReplaceAllString(o.Name, "_") + "."
		metrics := operatorMetrics(p, i, &a.Metrics.Operators[i], r.operators[i])
		for k := range metrics {
			metrics[k].id = strings.TrimPrefix(metrics[k].id, prefix)
		}
		x.send("flink_taskmanager_job_task_operator_", metrics, append(of[:len(of):len(of)], "operator_id", o.ID.String(), "operator_name", o.Name))
	}
}

// sums is a vertex in a few series. Watermarks and flags have no sum.
func (x *exposition) sums(p place, of labels) {
	total := map[string]float64{}
	var order []string
	for i, a := range current(p.now) {
		r, ok := x.server.history.rates(p, i, a)
		if !ok {
			continue
		}
		for _, m := range taskMetrics(p, a, r) {
			if _, known := total[m.id]; !known {
				order = append(order, m.id)
			}
			total[m.id] += m.number
		}
	}
	var all []metric
	for _, id := range order {
		if !strings.HasSuffix(id, "Watermark") {
			all = append(all, measure(id, total[id]))
		}
	}
	x.send("flink_taskmanager_job_task_", all, of)
}

// send sends metrics that are numbers, or true (1) and false (0).
func (x *exposition) send(prefix string, all []metric, of labels) {
	var names, values []string
	for i := 0; i < len(of); i += 2 {
		names, values = append(names, of[i]), append(values, strings.ToValidUTF8(of[i+1], "\uFFFD"))
	}
	for _, m := range all {
		n, ok := numeric(m)
		if !ok {
			continue
		}
		if x.series == mostSeries {
			x.left++
			continue
		}
		desc := prometheus.NewDesc(prefix+wordless.ReplaceAllString(m.id, "_"), help(prefix, m.id), names, nil)
		x.to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, n, values...)
		x.series++
	}
}

// help is what Flink's reporter says of a metric: "Used (scope: jobmanager_Status_JVM_Memory_Heap)".
func help(prefix, id string) string {
	scope := strings.TrimPrefix(prefix, "flink_")
	if dot := strings.LastIndexByte(id, '.'); dot >= 0 {
		scope, id = scope+wordless.ReplaceAllString(id[:dot+1], "_"), id[dot+1:]
	}
	return id + " (scope: " + strings.TrimSuffix(scope, "_") + ")"
}

// numeric is a metric as a number; false: it is not one.
func numeric(m metric) (float64, bool) {
	switch m.text {
	case "true":
		return 1, true
	case "false":
		return 0, true
	}
	return m.number, !math.IsNaN(m.number)
}
