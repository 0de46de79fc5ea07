package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/control/rest"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
	"github.com/flott-dev/flott/watermark"
)

// A diagnosed is an embedded job that the REST API looks at, in virtual time: who sleeps for a second is busy for one.
type diagnosed struct {
	t    *testing.T
	job  *Job
	rest *rest.Server
	log  bytes.Buffer
	end  func()
}

// diagnose starts a job in the bubble of the test.
func diagnose(t *testing.T, f *flow) *diagnosed {
	t.Helper()
	return lookAt(t, f.start(t.Context(), t))
}

// lookAt lets the REST API look at a job that was started in the bubble of the test.
func lookAt(t *testing.T, job *Job) *diagnosed {
	t.Helper()
	d := &diagnosed{t: t, job: job}
	d.rest = rest.New(d.job.View(), nil, rest.Options{Log: slog.New(slog.NewTextHandler(&d.log, nil))})
	ctx, end := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { d.rest.Run(ctx) })
	d.end = func() {
		check(t, d.job.Cancel(context.Background()))
		end()
		running.Wait()
	}
	return d
}

// A diagnosis is what is tested of an answer.
type diagnosis struct {
	Level    string
	Findings []struct {
		Kind, Level, Head, Detail, Advice, Vertex string
		Subtask                                   *int
		Figures                                   map[string]int64
		Path                                      []string
	}
	Bottleneck *struct{ Subtask int }
	Watermark  struct {
		Value, Behind *int64
		HeldBy        *struct {
			Vertex, Split string
			Subtask       int
		}
		Path []string
	}
}

func (d *diagnosed) get(path string, status int, into any) {
	d.t.Helper()
	w := httptest.NewRecorder()
	d.rest.ServeHTTP(w, httptest.NewRequestWithContext(d.t.Context(), "GET", path, nil))
	if w.Code != status {
		d.t.Errorf("%s: %d", path, w.Code)
	}
	check(d.t, json.Unmarshal(w.Body.Bytes(), into))
}

func (d *diagnosed) now() (is diagnosis) {
	d.t.Helper()
	d.get("/jobs/"+d.job.ID().String()+"/flott/diagnosis", 200, &is)
	return is
}

// health is that of the cluster.
func (d *diagnosed) health(status int) string {
	d.t.Helper()
	var h struct{ Status, Reason string }
	d.get("/flott/health", status, &h)
	return h.Status + " " + h.Reason
}

// logged is how often the log says something.
func (d *diagnosed) logged(words string) int { return strings.Count(d.log.String(), words) }

// when is the time of the first line of the log that says something.
func (d *diagnosed) when(words string) time.Time {
	d.t.Helper()
	for line := range strings.Lines(d.log.String()) {
		var at string
		if strings.Contains(line, words) {
			_, err := fmt.Sscanf(line, "time=%s", &at)
			check(d.t, err)
			when, err := time.Parse(time.RFC3339Nano, at)
			check(d.t, err)
			return when
		}
	}
	return time.Time{}
}

// byKey deals the records out by key.
func (f *flow) byKey(t *testing.T, key func(int64) int64) *flow {
	hash, err := id.HashOf[int64]()
	check(t, err)
	f.last = f.Repartition(f.last, program.Hash, shuffle.ByKey(key, hash))
	return f
}

// slow is a map that takes its time for each record.
func slow(by time.Duration) func(int64) { return func(int64) { time.Sleep(by) } }

func TestDiagnosisOfASlowOperator(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := diagnose(t, newFlow().from(endless(), 1).do("slow", 2, slow(10*time.Millisecond)).to(1, nothing))
		defer d.end()
		time.Sleep(time.Minute)
		is := d.now()
		if is.Level != "warn" || len(is.Findings) != 1 || is.Bottleneck == nil {
			t.Fatalf("%+v", is)
		}
		f := is.Findings[0]
		if f.Kind != "bottleneck" || f.Head != "slow is the bottleneck" || !strings.HasPrefix(f.Detail, fmt.Sprintf("Subtask %d was 100 %% busy in the last 10 s. Back-pressured by it: Source: source 100 %%.", is.Bottleneck.Subtask)) {
			t.Errorf("%+v", f)
		}
		if f.Figures["busy"] < 990 || f.Figures["backPressured"] < 900 || f.Figures["parallelism"] != 2 || len(f.Path) != 2 || f.Path[1] != f.Vertex {
			t.Errorf("%+v", f)
		}
		if h := d.health(200); h != `amber job "test": slow is the bottleneck: `+f.Detail {
			t.Errorf("health: %s", h)
		}
		if n := d.logged(`level=WARN msg="slow is the bottleneck" job=test job_id=`); n != 1 {
			t.Errorf("logged %d times: %s", n, d.log.String())
		}
	})
}

func TestDiagnosisOfAHotKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		key := func(v int64) int64 { // nine of ten records have one key
			if v%10 == 0 {
				return v
			}
			return -1
		}
		d := diagnose(t, newFlow().from(endless(), 1).byKey(t, key).do("count", 4, slow(time.Millisecond)).to(1, nothing))
		defer d.end()
		time.Sleep(2 * time.Minute)
		hash, err := id.HashOf[int64]()
		check(t, err)
		groups := id.KeyGroupsOf(128)
		group := groups.Of(hash(-1))
		is := d.now()
		if len(is.Findings) != 1 {
			t.Fatalf("%+v", is)
		}
		f := is.Findings[0]
		if f.Kind != "skew" || *f.Subtask != groups.Subtask(group, 4) || f.Figures["keyGroup"] != int64(group) || f.Figures["share"] < 900 || f.Figures["times"] < 3600 ||
			f.Figures["keyGroupShare"] < 800 || !strings.Contains(f.Detail, fmt.Sprintf("of its records are of key group %d.", group)) || !strings.Contains(f.Advice, "split them") {
			t.Errorf("%+v, want group %d", f, group)
		}
	})
}

// twoSplits is a source of two splits, of which one falls silent after ten records.
type twoSplits struct{}

func (twoSplits) Bounded() bool { return false }
func (twoSplits) Enumerator(_ context.Context, s connector.Setup) (connector.Enumerator, error) {
	return connector.InTurn(s, []connector.Split{{ID: "loud"}, {ID: "silent"}})
}

func (twoSplits) Reader(ctx context.Context, wake func()) (connector.Reader[int64], error) {
	return connector.NewFeed(ctx, wake, func(ctx context.Context, out *connector.Feed[int64], split string, from int64) error {
		for i := from; ; i++ {
			if err := out.Emit(i*100, i+1); err != nil {
				return err
			}
			next := time.After(100 * time.Millisecond)
			if split == "silent" && i == 9 {
				next = nil
			}
			select {
			case <-next:
			case <-ctx.Done():
				return nil
			}
		}
	}), nil
}

// timed is a source whose records are times.
func (f *flow) timed(src connector.Source[int64], parallelism int) *flow {
	f.from(src, parallelism)
	s := watermark.Monotonic(func(v int64) time.Time { return time.UnixMilli(v) })
	f.last.Operator = sourceOperator{src, operator.Source(src, &s)}
	return f
}

func TestDiagnosisOfAnIdleSplit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := diagnose(t, newFlow().timed(twoSplits{}, 2).do("window", 1, func(int64) {}).to(2, nothing))
		defer d.end()
		time.Sleep(5 * time.Second)
		if is := d.now(); is.Level != "ok" || is.Watermark.HeldBy == nil {
			t.Errorf("at first: %+v", is)
		}
		time.Sleep(25 * time.Second)
		is := d.now()
		if is.Level != "warn" || len(is.Findings) != 1 {
			t.Fatalf("%+v", is)
		}
		f, w := is.Findings[0], is.Watermark
		if f.Kind != "watermark" || f.Head != "Source: source holds event time back" || !strings.HasPrefix(f.Detail, "Split silent, read by subtask 1, has had no record for ") ||
			!strings.Contains(f.Detail, "and is not marked as idle. Event time is ") || !strings.HasSuffix(f.Detail, "It is held back for window and Sink: sink.") || *f.Subtask != 1 || len(f.Path) != 3 {
			t.Errorf("%+v", f)
		}
		if *w.Value != 899 || *w.Behind < 28_000 || w.HeldBy.Split != "silent" || w.HeldBy.Subtask != 1 || w.HeldBy.Vertex != f.Vertex {
			t.Errorf("%+v", w)
		}
		time.Sleep(time.Minute)
		if h := d.health(503); !strings.HasPrefix(h, `red job "test": Event time stands in Sink: sink: Subtask `) || !strings.Contains(h, "Source: source holds it: Split silent, read by subtask 1,") {
			t.Errorf("health: %s", h)
		}
	})
}

func TestDiagnosisOfAStuckSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan bool)
		d := diagnose(t, newFlow().from(sequence.Of(0, 1<<40), 1).do("map", 2, func(int64) {}).to(1, func(v int64) error {
			if v == 5000 {
				hang(release)
			}
			return nil
		}))
		defer d.end()
		defer close(release)
		time.Sleep(30 * time.Second)
		if h := d.health(200); strings.HasPrefix(h, "red") {
			t.Errorf("too early: %s", h)
		}
		time.Sleep(time.Minute)
		is := d.now()
		if is.Level != "stalled" || len(is.Findings) != 1 || is.Findings[0].Kind != "progress" {
			t.Fatalf("%+v", is)
		}
		f := is.Findings[0]
		if f.Head != "Sink: sink makes no progress" || !strings.Contains(f.Detail, "Subtask 0 has been busy for 1 min ") || f.Figures["still"] < 60_000 {
			t.Errorf("%+v", f)
		}
		if h := d.health(503); !strings.HasPrefix(h, `red job "test": Sink: sink makes no progress: Subtask 0 has been busy for`) {
			t.Errorf("health: %s", h)
		}
		if begun, ended := d.logged(`msg="Sink: sink makes no progress"`), d.logged(`msg="no longer: Sink: sink is the bottleneck"`); begun != 1 || ended != 1 {
			t.Errorf("logged %d and %d times: %s", begun, ended, d.log.String())
		}
	})
}

func TestDiagnosisOfAFailedJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := diagnose(t, newFlow().from(endless(), 1).do("map", 2, func(int64) {}).to(1, func(int64) error { return errUser }))
		defer d.end()
		_, err := d.job.Wait(t.Context())
		if !errors.Is(err, errUser) {
			t.Fatal(err)
		}
		if is := d.now(); is.Level != "stalled" || len(is.Findings) != 1 || is.Findings[0].Kind != "failed" || !strings.Contains(is.Findings[0].Detail, "user error") || *is.Findings[0].Subtask != 0 {
			t.Errorf("%+v", is)
		}
	})
}

// A job that fails for the same reason again, though at another record, is red, and amber before.
func TestDiagnosisOfAJobThatRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		g, binding := newFlow().from(endless(), 1).to(1, func(int64) error {
			time.Sleep(time.Second)
			tries++
			return fmt.Errorf("record %d is bad", tries)
		}).compile(t)
		g.Restart = program.RestartStrategy{Type: program.FixedDelay, Fixed: program.FixedRestart{Attempts: 1000, Delay: 20 * time.Second}}
		job, err := Start(t.Context(), g, binding, quiet)
		check(t, err)
		d := lookAt(t, job)
		defer d.end()
		time.Sleep(10 * time.Second)
		if h := d.health(200); h != `amber job "test": The job starts again: operator "Sink: sink" (1/1): record 1 is bad.` {
			t.Errorf("after one failure: %s", h)
		}
		time.Sleep(20 * time.Second)
		if h := d.health(503); h != `red job "test": The job starts again and again: It failed twice in a row for the same reason: operator "Sink: sink" (1/1): record 2 is bad.` {
			t.Errorf("after two: %s", h)
		}
	})
}

// A stream is where events of the REST API come to, with when they did.
type stream struct {
	*httptest.ResponseRecorder
	mu     sync.Mutex
	events []stamped
}

type stamped struct {
	at   time.Time
	text string
}

func (s *stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, stamped{time.Now(), string(b)})
	return len(b), nil
}

// first is when an event came first that has all of some words; zero: never.
func (s *stream) first(words ...string) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.events {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(e.text, w) }) {
			return e.at
		}
	}
	return time.Time{}
}

// listen opens the stream of the job, until leave closes it.
func (d *diagnosed) listen() (page *stream, leave func()) {
	page = &stream{ResponseRecorder: httptest.NewRecorder()}
	ctx, cancel := context.WithCancel(d.t.Context())
	var listens sync.WaitGroup
	listens.Go(func() {
		d.rest.ServeHTTP(page, httptest.NewRequestWithContext(ctx, "GET", "/flott/events?job="+d.job.ID().String(), nil))
	})
	return page, func() { cancel(); listens.Wait() }
}

// A page that listens hears of a state at once, not only with the frame of the next second.
func TestPageHearsOfAState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const runs, rests = 1050 * time.Millisecond, 2 * time.Second
		g, binding := newFlow().from(endless(), 1).to(1, func(int64) error {
			time.Sleep(runs)
			return errors.New("no more")
		}).compile(t)
		g.Restart = program.RestartStrategy{Type: program.FixedDelay, Fixed: program.FixedRestart{Attempts: 10, Delay: rests}}
		begun := time.Now()
		job, err := Start(t.Context(), g, binding, quiet)
		check(t, err)
		d := lookAt(t, job)
		defer d.end()
		page, leave := d.listen()
		defer leave()
		time.Sleep(10 * time.Second)
		for state, at := range map[string]time.Duration{"RESTARTING": runs, "RUNNING": runs + rests} {
			if after := page.first("event: job", `"state":"`+state+`"`).Sub(begun) - at; after < 0 || after > 250*time.Millisecond {
				t.Errorf("%s was told after %v", state, after)
			}
		}
	})
}

// A page that listens hears of a bottleneck after three seconds, in which it must be seen, and within one after the server has found it.
func TestPageHearsOfABottleneck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now().Add(time.Minute)
		d := diagnose(t, newFlow().from(sequence.Generate(-1, 1000, func(i int64) int64 { return i }), 1).do("map", 2, func(int64) {
			if time.Now().After(begun) {
				time.Sleep(time.Second)
			}
		}).to(1, nothing))
		defer d.end()
		page, leave := d.listen()
		defer leave()
		time.Sleep(2 * time.Minute)
		if at := page.first("event: diagnosis", `"level":"ok"`); at.IsZero() || at.After(begun) {
			t.Errorf("that all is well came at %v", at)
		}
		told := page.first("event: diagnosis", `"head":"map is the bottleneck"`)
		found := d.when(`msg="map is the bottleneck"`)
		t.Logf("found after %v, told after %v", found.Sub(begun), told.Sub(begun))
		if after := found.Sub(begun); after < 2*time.Second || after > 4*time.Second {
			t.Errorf("the bottleneck was found after %v", after)
		}
		if after := told.Sub(found); after < 0 || after > time.Second {
			t.Errorf("the page was told %v after that", after)
		}
	})
}
