package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/flott-dev/flott/bench/hand"
	"github.com/flott-dev/flott/bench/workload"
)

// A cluster is one JobManager with TaskManagers, all of them processes of this machine, that answer Flink's REST interface. flott's
// and Flink's are started, asked and measured alike.
type cluster interface {
	name() string
	// start starts processes, and does not wait until they are ready.
	start(taskManagers, slots int) error
	rest() string // URL
	// managers are the process ids of the JobManager and the TaskManagers.
	managers() ([]int, error)
	// submit starts a workload that runs until it is cancelled, and returns when the client has ended.
	submit(workload string, parallelism int) error
	// run runs a workload to its end.
	run(workload string, parallelism int, records int64) (counted, error)
	// stop ends all processes.
	stop() error
}

// counted is what the sinks of a workload have counted.
type counted struct{ out, sum int64 }

// compareClusters measures how fast clusters and jobs come up and how much memory that takes, and then what records cost that cross
// from one TaskManager to the other.
func (s *settings) compareClusters(program, folder string) error {
	if !slices.ContainsFunc(clusterCases, s.chosenOn) && !s.chosen("cluster") {
		return nil
	}
	clusters, err := s.clusters(program, folder)
	if err != nil {
		return err
	}
	if s.chosen("cluster") {
		if err := printStart(clusters, s.runs); err != nil {
			return err
		}
	}
	head := sync.OnceFunc(func() { fmt.Println(clusterHeader) })
	for _, c := range clusterCases {
		if !s.chosenOn(c) {
			continue
		}
		head()
		row, err := c.measureOn(clusters, s.runs, s.scale)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Println(row)
	}
	return nil
}

func (s *settings) chosenOn(c comparison) bool { return s.chosen("cluster-" + c.name) }

const clusterHeader = `
Two TaskManagers with two slots each, parallelism 4; CPU of JobManager, TaskManagers and workers
workload        flott ns/rec  flink ns/rec | flott Mrec/s  flink Mrec/s | flink/flott (want)`

func (s *settings) clusters(program, folder string) ([]cluster, error) {
	flott := filepath.Join(folder, "flott")
	if err := build("-o", flott, "github.com/flott-dev/flott/cmd/flott"); err != nil {
		return nil, err
	}
	all := []cluster{&flottCluster{flott: flott, program: program, folder: folder}}
	if s.flink == "" {
		return all, nil
	}
	flink := &flinkCluster{folder: s.flink}
	return append(all, flink), flink.compileTasks(folder)
}

var clusterCases = []comparison{
	{"shuffle", "shuffle", 10e6, 4e6, 2.5, 0, ""},
	{"shuffle-hash", "shuffle-hash", 10e6, 4e6, 2.5, 0, ""},
	{"keyed-count", "keyed-count", 20e6, 5e6, 6, 0, ""},
	{"window", "window", 20e6, 5e6, 4, 0, ""},
}

// measureOn runs the workload on each cluster in turn, each freshly started.
func (c comparison) measureOn(clusters []cluster, runs int, scale float64) (string, error) {
	all := make([]samples, len(clusters))
	for range runs {
		for i, k := range clusters {
			long := int64(float64([]int64{c.records, c.flinkLong}[i]) * scale)
			s, err := sampleOn(k, c.name, long)
			if err != nil {
				return "", fmt.Errorf("%s: %w", k.name(), err)
			}
			all[i] = append(all[i], s)
		}
	}
	row := fmt.Sprintf("%-14s %13.2f ", c.name, all[0].median(cpu))
	if len(all) == 1 {
		return row + fmt.Sprintf("%13s | %12.2f %13s | %18s", "-", all[0].median(rate), "-", "-"), nil
	}
	return row + fmt.Sprintf("%13.2f | %12.2f %13.2f | %18s", all[1].median(cpu), all[0].median(rate), all[1].median(rate),
		atLeast(all[1].median(cpu)/all[0].median(cpu), c.overFlink)), nil
}

// sampleOn is one long and one short run, after one that warms the cluster up.
func sampleOn(k cluster, name string, long int64) (s sample, err error) {
	if err := started(k, 2, 2); err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, k.stop()) }()
	short := long / shortPart
	if _, _, err = spent(k, name, short); err != nil {
		return s, err
	}
	cpuShort, wallShort, err := spent(k, name, short)
	if err != nil {
		return s, err
	}
	cpuLong, wallLong, err := spent(k, name, long)
	if err != nil {
		return s, err
	}
	more := float64(long - short)
	return sample{
		cpuPerRecord: float64(cpuLong-cpuShort) / more,
		mrecPerS:     more / max((wallLong-wallShort).Seconds(), 1e-3) / 1e6,
	}, nil
}

// spent runs a workload, wants of it what the handwritten loop counts, and says what it took.
func spent(k cluster, name string, records int64) (cpu, wall time.Duration, err error) {
	pids, err := k.managers()
	if err != nil {
		return 0, 0, err
	}
	before, err := cpuOf(pids)
	if err != nil {
		return 0, 0, err
	}
	begin := time.Now()
	got, err := k.run(name, 4, records)
	if err != nil {
		return 0, 0, err
	}
	wall = time.Since(begin)
	if err := childless(pids); err != nil {
		return 0, 0, err
	}
	after, err := cpuOf(pids)
	if err != nil {
		return 0, 0, err
	}
	out, sum := hand.Loops[name](records, workload.Options{})
	if want := (counted{out, sum}); got != want {
		return 0, 0, fmt.Errorf("%s of %d records counted %+v, not %+v", name, records, got, want)
	}
	return after - before, wall, nil
}
