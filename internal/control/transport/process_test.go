package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/security"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// A subject is a process that says what a test wants.
type subject struct {
	text    []byte             // of its log
	profile chan time.Duration // is sent how long one is to be taken; it ends with its context
	ended   chan error
}

var environment = view.Environment{
	GoVersion: "go1", Platform: "p", Version: "v", Args: []string{"a", "\xff"}, Modules: []string{"m"}, Pid: 7, Started: 8, CPUs: 9, MaxProcs: 10, MemoryLimit: 11,
	Variables: []view.Setting{{Key: "k", Value: "v", Origin: "o"}},
}

var (
	figures = view.Figures{Pid: 7, Resident: 1, Limit: 2, HeapUsed: 3, HeapCommitted: 4, HeapMax: -1, Goroutines: 5, Collections: 6, CollectionTime: 7, CPU: 8, Load: 0.9}
	files   = []view.LogFile{{Name: "a.log", Size: 9, Modified: 10}}
)

func (s *subject) Name() string                                          { return "not the id" }
func (s *subject) Figures(context.Context) (view.Figures, error)         { return figures, nil }
func (s *subject) Logs(context.Context) ([]view.LogFile, error)          { return files, nil }
func (s *subject) Environment(context.Context) (view.Environment, error) { return environment, nil }
func (s *subject) Goroutines(context.Context) ([]byte, error)            { return s.text, nil }

func (s *subject) Log(_ context.Context, name string, from int64) (io.ReadCloser, error) {
	if name != "a.log" {
		return nil, view.ErrUnknownFile
	}
	return io.NopCloser(bytes.NewReader(s.text[from:])), nil
}

func (s *subject) Stdout(context.Context) (io.ReadCloser, error) {
	return io.NopCloser(io.MultiReader(bytes.NewReader(s.text), failing{})), nil
}

type failing struct{}

var errDisk = errors.New("disk failure")

func (failing) Read([]byte) (int, error) { return 0, errDisk }

func (s *subject) Profile(ctx context.Context, kind string, over time.Duration) ([]byte, error) {
	if kind != "cpu" {
		return []byte(kind), nil
	}
	s.profile <- over
	<-ctx.Done()
	s.ended <- ctx.Err()
	return nil, ctx.Err()
}

// asking is a worker that is connected and answers, and its process as the JobManager has it.
func asking(t *testing.T, change func(*Options)) (*subject, *side, view.Process) {
	t.Helper()
	return askingOver(t, security.Config{}, change)
}

func askingOver(t *testing.T, c security.Config, change func(*Options)) (*subject, *side, view.Process) {
	t.Helper()
	s := &subject{text: bytes.Repeat([]byte("0123456789"), 100_000), profile: make(chan time.Duration, 100), ended: make(chan error, 100)}
	o := quiet("1")
	o.Security = c
	jm := serving(t, o)
	o.Process = s
	if change != nil {
		change(&o)
	}
	workerBy(t, jm, o)
	all := jm.server.Workers(id.Job{7})
	if len(all) != 1 || all[0].Name() != "w" {
		t.Fatalf("workers %v", all)
	}
	return s, jm, all[0]
}

func read(t *testing.T, r io.ReadCloser, err error) (string, error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	return string(text), errors.Join(err, r.Close())
}

func TestAProcessAnswers(t *testing.T) {
	s, _, p := asking(t, nil)
	if f, err := p.Figures(t.Context()); f != figures || err != nil {
		t.Errorf("%+v, %v", f, err)
	}
	if l, err := p.Logs(t.Context()); !reflect.DeepEqual(l, files) || err != nil {
		t.Errorf("%+v, %v", l, err)
	}
	if e, err := p.Environment(t.Context()); !reflect.DeepEqual(e, environment) || err != nil {
		t.Errorf("%+v, %v", e, err)
	}
	if g, err := p.Goroutines(t.Context()); !bytes.Equal(g, s.text) || err != nil {
		t.Errorf("%d bytes, %v", len(g), err)
	}
	if g, err := p.Profile(t.Context(), "heap", 0); string(g) != "heap" || err != nil {
		t.Errorf("%s, %v", g, err)
	}
	for _, from := range []int64{0, 7, int64(len(s.text))} {
		log, err := p.Log(t.Context(), "a.log", from)
		if text, err := read(t, log, err); text != string(s.text[from:]) || err != nil {
			t.Errorf("from %d: %d bytes, %v", from, len(text), err)
		}
	}
	if _, err := p.Log(t.Context(), "b.log", 0); !errors.Is(err, view.ErrUnknownFile) {
		t.Error(err)
	}
	out, err := p.Stdout(t.Context())
	if text, err := read(t, out, err); text != string(s.text) || err == nil || !strings.Contains(err.Error(), errDisk.Error()) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func TestAProcessAnswersOverTLS(t *testing.T) {
	c := issue(t, newAuthority(t))
	c.Token = "secret"
	s, _, p := askingOver(t, c, nil)
	if g, err := p.Goroutines(t.Context()); !bytes.Equal(g, s.text) || err != nil {
		t.Errorf("%d bytes, %v", len(g), err)
	}
}

func TestATaskManagerAnswers(t *testing.T) {
	jm := serving(t, quiet("1"))
	o := quiet("1")
	o.Process = &subject{}
	g := connected(t, DialTaskManager, o, jm.address)
	g.master.Register(rpc.Registration{ID: "tm"}, g)
	jm.expect(t, "Register")
	p, ok := jm.server.Process("tm")
	if !ok || p.Name() != "tm" {
		t.Fatal(p)
	}
	if f, err := p.Figures(t.Context()); f != figures || err != nil {
		t.Errorf("%+v, %v", f, err)
	}
	g.stop()
	jm.expect(t, "Unregister")
	if _, ok := jm.server.Process("tm"); ok {
		t.Error("it is still known")
	}
	if _, err := p.Figures(t.Context()); !errors.Is(err, view.ErrNoAnswer) {
		t.Error(err)
	}
}

func TestAProcessThatSaysNothing(t *testing.T) {
	_, jm, p := asking(t, func(o *Options) { o.Process = nil })
	if _, ok := jm.server.Process("w"); ok {
		t.Error("a worker is no TaskManager")
	}
	if _, err := p.Figures(t.Context()); !errors.Is(err, view.ErrUnavailable) {
		t.Error(err)
	}
	if _, err := p.Log(t.Context(), "", 0); !errors.Is(err, view.ErrUnavailable) {
		t.Error(err)
	}
}

// Work that nobody waits for any more ends.
func TestWhoLosesInterestEndsTheWork(t *testing.T) {
	s, _, p := asking(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	lost := make(chan error, 1)
	go func() { _, err := p.Profile(ctx, "cpu", time.Hour); lost <- err }()
	if over := <-s.profile; over != time.Hour {
		t.Errorf("over %v", over)
	}
	cancel()
	if err := <-lost; !errors.Is(err, context.Canceled) || !errors.Is(err, view.ErrNoAnswer) {
		t.Error(err)
	}
	if err := <-s.ended; err == nil {
		t.Error("the profile goes on")
	}
}

// A log that nobody reads on holds up nothing else, and does not come over the wire.
func TestALogIsSentAsFastAsItIsRead(t *testing.T) {
	var sent atomic.Int64
	s, _, p := asking(t, func(o *Options) {
		o.Process.(*subject).text = make([]byte, 20<<20)
		o.dial = func(ctx context.Context, address string) (net.Conn, error) {
			c, err := dial(ctx, address)
			return counting{c, &sent}, err
		}
	})
	log, err := p.Log(t.Context(), "a.log", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(log, make([]byte, 1000)); err != nil {
		t.Error(err)
	}
	if g, err := p.Profile(t.Context(), "heap", 0); string(g) != "heap" || err != nil {
		t.Errorf("%s, %v", g, err)
	}
	if n := sent.Load(); n > int64(len(s.text))/4 {
		t.Errorf("%d bytes were sent", n)
	}
	if err := log.Close(); err != nil {
		t.Error(err)
	}
	if _, err := io.Copy(io.Discard, log); !errors.Is(err, view.ErrNoAnswer) {
		t.Errorf("after its end: %v", err)
	}
}

type counting struct {
	net.Conn
	n *atomic.Int64
}

func (c counting) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return c.Conn.Write(p)
}

func TestFewQuestionsAtATime(t *testing.T) {
	s, _, p := asking(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	lost := make(chan error, mostQuestions)
	for range mostQuestions {
		go func() { _, err := p.Profile(ctx, "cpu", time.Hour); lost <- err }()
	}
	for range mostQuestions {
		<-s.profile
	}
	soon, end := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer end()
	if _, err := p.Figures(soon); !errors.Is(err, view.ErrNoAnswer) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one more: %v", err)
	}
	cancel()
	for range mostQuestions {
		if err := <-lost; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if _, err := p.Figures(t.Context()); err != nil {
		t.Error(err)
	}
}

// A lost connection is an error at once, before an answer has begun and after.
func TestALostConnectionEndsAnswers(t *testing.T) {
	var conn net.Conn
	s, jm, p := asking(t, func(o *Options) {
		o.Process.(*subject).text = make([]byte, 20<<20)
		o.dial = func(ctx context.Context, address string) (c net.Conn, err error) {
			conn, err = dial(ctx, address)
			return conn, err
		}
	})
	log, err := p.Log(t.Context(), "a.log", 0)
	if err != nil {
		t.Fatal(err)
	}
	lost := make(chan error, 1)
	go func() { _, err := p.Profile(t.Context(), "cpu", time.Hour); lost <- err }()
	<-s.profile
	_ = conn.Close()
	if err := <-lost; !errors.Is(err, view.ErrNoAnswer) {
		t.Error(err)
	}
	if _, err := io.Copy(io.Discard, log); !errors.Is(err, view.ErrNoAnswer) {
		t.Error(err)
	}
	if l := jm.expect(t, "Disconnected").Args[0].(rpc.WorkerLoss); errors.Is(l.Cause, errSilent) {
		t.Errorf("it was waited for: %v", l.Cause)
	}
	if all := jm.server.Workers(id.Job{7}); len(all) > 0 {
		t.Errorf("still there: %v", all)
	}
}

// An answer counts only from the process that was asked.
func TestAnswersOfOthersAreVoid(t *testing.T) {
	p := newProcesses()
	here, there := net.Pipe()
	defer func() { _, _ = here.Close(), there.Close() }()
	number, _ := p.open(t.Context(), here)
	if p.take(number, there) != nil || p.take(number+1, here) != nil {
		t.Error("another one's answer is taken")
	}
	if p.take(number, here) == nil || p.take(number, here) != nil {
		t.Error("not taken once")
	}
}
