package rest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/google/pprof/profile"

	"github.com/flott-dev/flott/internal/control/view"
)

// defaultProfile is how long a CPU profile is taken when nobody says.
const defaultProfile = 10 * time.Second

// workersProfile is a profile of all workers of a job as one, for `go tool pprof URL`. Samples of tasks carry the labels of package
// label. A worker that does not answer is left out, unless none does.
func (c *call) workersProfile() (io.ReadCloser, error) {
	j, err := c.job()
	if err != nil {
		return nil, err
	}
	kind, over, err := c.profileWanted()
	if err != nil {
		return nil, err
	}
	all, err := ofWorkers(c.Context(), c.server.source, j.ID, func(w view.Process) ([]*profile.Profile, error) {
		return one(take(c.Context(), w, kind, over))
	})
	if len(all) == 0 {
		if err == nil {
			err = refuse(http.StatusConflict, "The job has no workers now.")
		}
		return nil, err
	}
	merged, err := profile.Merge(all)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = merged.Write(&b)
	return io.NopCloser(&b), err
}

// profileWanted is the kind of a profile and how long it is to be taken, by Go's names.
func (c *call) profileWanted() (kind string, over time.Duration, err error) {
	switch kind = c.param("kind"); kind {
	case "":
		kind = "cpu"
	case "cpu", "goroutine", "heap", "allocs", "mutex", "block":
	default:
		return "", 0, c.badQuery("kind")
	}
	over = defaultProfile
	if text := c.param("seconds"); text != "" {
		n, err := strconv.Atoi(text)
		over = time.Duration(n) * time.Second
		if err != nil || over <= 0 || over > longestProfile {
			return "", 0, c.badQuery("seconds")
		}
	}
	return kind, over, nil
}

// workersGoroutines is the goroutines of all workers of a job, each worker's below its name. Why one does not answer stands in place of
// them.
func (c *call) workersGoroutines() (io.ReadCloser, error) {
	j, err := c.job()
	if err != nil {
		return nil, err
	}
	workers, err := c.server.source.Workers(c.Context(), j.ID)
	if err != nil {
		return nil, err
	}
	stacks := make([][]byte, len(workers))
	var asking sync.WaitGroup
	for i, w := range workers {
		asking.Go(func() {
			var err error
			if stacks[i], err = w.Goroutines(c.Context()); err != nil {
				stacks[i] = []byte(err.Error() + "\n")
			}
		})
	}
	asking.Wait()
	var b bytes.Buffer
	for i, w := range workers {
		fmt.Fprintf(&b, "worker %s\n\n%s\n", w.Name(), stacks[i])
	}
	return io.NopCloser(&b), nil
}
