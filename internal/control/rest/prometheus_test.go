package rest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// crowd is a bench with many jobs, each vertex of which has as many subtasks. They are one job under many names.
func crowd(t *testing.T, jobs, subtasks int) *bench {
	b := newBench(t, nil, Options{})
	one := newJob(t, statefulSpec, "one", running, view.Running)
	for v := range one.Vertices {
		one.Vertices[v].Subtasks = slices.Repeat(one.Vertices[v].Subtasks[:1], subtasks)
	}
	b.cluster.list = nil
	for i := range jobs {
		j, g := *one, *one.Graph
		g.Name = fmt.Sprint("job ", i)
		j.ID, j.Graph = id.Job{byte(i >> 8), byte(i)}, &g
		b.cluster.list = append(b.cluster.list, &j)
	}
	return b
}

// scrape is the lines with a value, of which there may be no more than is said.
func (b *bench) scrape() (series []string) {
	_, body := b.ask("GET", "/metrics", "")
	for line := range strings.Lines(body) {
		if !strings.HasPrefix(line, "#") {
			series = append(series, line)
		}
	}
	if n := strings.Count(body, "\n") - len(series); len(series) > mostSeries+1 || n > 1000 {
		b.t.Errorf("%d series, and %d lines about them", len(series), n)
	}
	return series
}

// with is how many series have a name and a label.
func with(series []string, name, label string) (n int) {
	for _, s := range series {
		if strings.HasPrefix(s, name+"{") && strings.Contains(s, label) {
			n++
		}
	}
	return n
}

// TestPrometheusIsBounded has 50 jobs of 4 vertices with 50 subtasks each: the first give all, the others sums, and nothing is left out.
func TestPrometheusIsBounded(t *testing.T) {
	series := crowd(t, 50, 50).scrape()
	const records = "flink_taskmanager_job_task_numRecordsIn"
	if full, sums := with(series, records, `job_name="job 0"`), with(series, records, `job_name="job 49"`); full != 4*50 || sums != 4 {
		t.Errorf("the first job has %d series of records, the last one %d", full, sums)
	}
	if text := strings.Join(series, ""); strings.Contains(text, "seriesLeftOut") {
		t.Error("series are left out")
	}
	if len(series) < manySeries/2 {
		t.Errorf("there are only %d series", len(series))
	}
}

// Of very many jobs each is there, if not with its tasks, and how much is missing is said.
func TestPrometheusOfVeryManyJobs(t *testing.T) {
	series := crowd(t, 1000, 3).scrape()
	if n := with(series, "flink_jobmanager_job_numRestarts", ""); n != 1000 {
		t.Errorf("%d jobs are there", n)
	}
	if !strings.Contains(strings.Join(series, ""), "flink_jobmanager_flott_seriesLeftOut ") {
		t.Error("nothing is said of what is left out")
	}
}

// TestPrometheusIsFlinks reads a scrape as Prometheus does, and has what Flink's own reporter makes of numbers and flags. A name of a job
// may be any text.
func TestPrometheusIsFlinks(t *testing.T) {
	b := newBench(t, nil, Options{})
	b.cluster.list[0].Graph.Name = "a \xff \"b\"\n"
	answer, body := b.ask("GET", "/metrics", "")
	problems, err := promlint.New(strings.NewReader(body)).Lint()
	if err != nil || answer.StatusCode != 200 {
		t.Fatalf("%s: %v\n%s", answer.Status, err, body)
	}
	for _, p := range problems {
		if p.Text == "no help text" {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
	for _, want := range []string{
		"# HELP flink_taskmanager_job_task_isBackPressured isBackPressured (scope: taskmanager_job_task)\n# TYPE flink_taskmanager_job_task_isBackPressured gauge\n",
		"# HELP flink_taskmanager_Status_JVM_CPU_Load Load (scope: taskmanager_Status_JVM_CPU)\n",
		"flink_jobmanager_numRegisteredTaskManagers{host=\"127.0.0.1\"} 1\n",
		`flink_jobmanager_job_numRestarts{host="127.0.0.1",job_id="` + running + `",job_name="a � \"b\"\n"} 0`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("there is no %s", want)
		}
	}
	if series := b.scrape(); with(series, "flink_taskmanager_job_task_isBackPressured", "subtask_index=\"0\"") != 6 {
		t.Error("not each subtask says whether it is back-pressured")
	}
}
