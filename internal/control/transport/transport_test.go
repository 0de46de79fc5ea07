package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc/test/bufconn"
	"pgregory.net/rapid"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/security"
	"github.com/flott-dev/flott/internal/id"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func quiet(version string) Options {
	return Options{Version: version, Log: slog.New(slog.DiscardHandler)}
}

// A side is a JobManager that serves until the test ends.
type side struct {
	*recorder
	server  *Server
	address string
	stop    func()
}

func serving(t *testing.T, o Options) *side {
	t.Helper()
	s, err := Listen(o, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return begin(t, s)
}

// inside is a JobManager in the bubble of a synctest, with a network that follows its clock, and how to dial there.
func inside(t *testing.T) (*side, func(context.Context, string) (net.Conn, error)) {
	t.Helper()
	network := bufconn.Listen(64 << 10)
	s, err := newServer(quiet("1"), network)
	if err != nil {
		t.Fatal(err)
	}
	return begin(t, s), func(ctx context.Context, _ string) (net.Conn, error) { return network.DialContext(ctx) }
}

func begin(t *testing.T, s *Server) *side {
	t.Helper()
	jm := newRecorder()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, jm, jm) }()
	stop := func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
		done <- nil
	}
	t.Cleanup(stop)
	return &side{jm, s, s.Addr().String(), stop}
}

// A guest is a session that lasts until the test ends.
type guest[M any] struct {
	*recorder
	master M
	stop   func()
	err    chan error
}

// connected is a session of a TaskManager or a worker.
func connected[M any](t *testing.T, dial func(context.Context, Options, string, func(context.Context, M)) error, o Options, address string) *guest[M] {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	g := &guest[M]{recorder: newRecorder(), err: make(chan error, 1)}
	up := make(chan M, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		g.err <- dial(ctx, o, address, func(ctx context.Context, m M) {
			up <- m
			<-ctx.Done()
		})
	}()
	g.stop = func() { cancel(); <-ended }
	t.Cleanup(g.stop)
	select {
	case g.master = <-up:
	case err := <-g.err:
		t.Fatal(err)
	}
	return g
}

func taskManager(t *testing.T, jm *side) (*guest[rpc.ResourceManager], rpc.TaskManager) {
	t.Helper()
	g := connected(t, DialTaskManager, quiet("1"), jm.address)
	g.master.Register(rpc.Registration{ID: "tm", Slots: 2}, g)
	jm.expect(t, "Register")
	return g, <-jm.taskManager
}

func worker(t *testing.T, jm *side) (*guest[rpc.JobManager], rpc.Worker) {
	t.Helper()
	return workerBy(t, jm, quiet("1"))
}

func workerBy(t *testing.T, jm *side, o Options) (*guest[rpc.JobManager], rpc.Worker) {
	t.Helper()
	g := connected(t, DialWorker, o, jm.address)
	g.master.Ready(rpc.WorkerReady{Header: rpc.Header{Job: id.Job{7}}, Worker: "w"}, g)
	jm.expect(t, "Ready")
	return g, <-jm.worker
}

func (r *recorder) expect(t *testing.T, method string) heard {
	t.Helper()
	m, err := r.next()
	if err != nil || m.Method != method {
		t.Fatalf("%v, %v; want %s", m, err, method)
	}
	return m
}

// Every method of every interface, with every field set: found by reflection, so that a new one cannot be forgotten.
func TestEveryMessageComesAsItWent(t *testing.T) {
	jm := serving(t, quiet("1"))
	tm, toTM := taskManager(t, jm)
	w, toWorker := worker(t, jm)
	for _, way := range []struct {
		from any
		to   *recorder
		as   reflect.Type
	}{
		{w.master, jm.recorder, reflect.TypeFor[rpc.JobManager]()},
		{toWorker, w.recorder, reflect.TypeFor[rpc.Worker]()},
		{tm.master, jm.recorder, reflect.TypeFor[rpc.ResourceManager]()},
		{toTM, tm.recorder, reflect.TypeFor[rpc.TaskManager]()},
	} {
		for i := range way.as.NumMethod() {
			method := way.as.Method(i)
			switch method.Name {
			case "Ready", "Register", "Unregister", "Disconnected", "Dismiss": // once in a connection's life: below
				continue
			}
			t.Run(way.as.Name()+"."+method.Name, rapid.MakeCheck(func(t *rapid.T) {
				message := reflect.New(method.Type.In(0)).Elem()
				sample(t, message)
				reflect.ValueOf(way.from).MethodByName(method.Name).Call([]reflect.Value{message})
				got, err := way.to.next()
				want := heard{method.Name, []any{message.Interface()}}
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%v, %v\nwant %v", got, err, want)
				}
			}))
		}
	}
}

func TestWhoIsThereComesAsItWent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d decoder
		var reg, back rpc.Registration
		sample(t, reflect.ValueOf(&reg).Elem())
		var ready rpc.WorkerReady
		sample(t, reflect.ValueOf(&ready).Elem())
		var leave rpc.Leave
		sample(t, reflect.ValueOf(&leave).Elem())
		if back = d.registration(registrationOf(&reg)); back != reg {
			t.Errorf("%+v, want %+v", back, reg)
		}
		if got := d.ready(readyOf(ready)); got != ready {
			t.Errorf("%+v, want %+v", got, ready)
		}
		if got := d.leave(leaveOf(leave)); !reflect.DeepEqual(got, leave) {
			t.Errorf("%+v, want %+v", got, leave)
		}
		if d.err != nil {
			t.Error(d.err)
		}
	})
}

func TestMessagesKeepTheirOrder(t *testing.T) {
	jm := serving(t, quiet("1"))
	w, toWorker := worker(t, jm)
	const n = 2000
	for i := range n {
		w.master.RequestSplits(rpc.SplitRequest{Number: i})
		toWorker.Measure(rpc.MetricsRequest{Number: i})
	}
	for i := range n {
		if got := jm.expect(t, "RequestSplits").Args[0].(rpc.SplitRequest).Number; got != i {
			t.Fatalf("request %d came as number %d", got, i)
		}
		if got := w.expect(t, "Measure").Args[0].(rpc.MetricsRequest).Number; got != i {
			t.Fatalf("request %d came as number %d", got, i)
		}
	}
}

func TestWhatASessionSentBeforeItsEndArrives(t *testing.T) {
	jm := serving(t, quiet("1"))
	const n = 1000
	err := DialWorker(context.Background(), quiet("1"), jm.address, func(_ context.Context, m rpc.JobManager) {
		m.Ready(rpc.WorkerReady{Worker: "w"}, newRecorder())
		for i := range n {
			m.RequestSplits(rpc.SplitRequest{Number: i})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	jm.expect(t, "Ready")
	for range n {
		jm.expect(t, "RequestSplits")
	}
	if l := jm.expect(t, "Disconnected").Args[0].(rpc.WorkerLoss); l.Worker != "w" || !errors.Is(l.Cause, errClosed) {
		t.Errorf("%+v", l)
	}
}

func TestATaskManagerThatLeavesIsGoneOnce(t *testing.T) {
	jm := serving(t, quiet("1"))
	tm, _ := taskManager(t, jm)
	tm.master.Unregister(rpc.Leave{ID: "tm", Cause: errors.New("enough")})
	tm.stop()
	if l := jm.expect(t, "Unregister").Args[0].(rpc.Leave); l.ID != "tm" || l.Cause.Error() != "enough" {
		t.Errorf("%+v", l)
	}
	jm.stop()
	if len(jm.messages) > 0 {
		t.Errorf("then %v", <-jm.messages)
	}
}

func TestTheEndOfTheJobManagerIsNoticed(t *testing.T) {
	jm := serving(t, quiet("1"))
	w, toWorker := worker(t, jm)
	toWorker.Release(rpc.Header{Job: id.Job{7}})
	jm.stop()
	w.expect(t, "Release")
	if err := <-w.err; !errors.Is(err, errClosed) {
		t.Errorf("%v, want %v", err, errClosed)
	}
	jm.expect(t, "Disconnected")
}

func TestADismissedTaskManagerConnectsAgain(t *testing.T) {
	jm := serving(t, quiet("1"))
	me := newRecorder()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	var lives atomic.Int32
	go func() {
		done <- DialTaskManager(ctx, quiet("1"), jm.address, func(ctx context.Context, m rpc.ResourceManager) {
			m.Register(rpc.Registration{ID: fmt.Sprint(lives.Add(1))}, me)
			<-ctx.Done()
		})
	}()
	jm.expect(t, "Register")
	(<-jm.taskManager).Dismiss(errors.New("not heard"))
	if cause := me.expect(t, "Dismiss").Args[0].(error); cause.Error() != "not heard" {
		t.Error(cause)
	}
	got := map[string]bool{}
	for range 2 { // in any order, as they come by two connections
		m, err := jm.next()
		if err != nil {
			t.Fatal(err)
		}
		switch of := m.Args[0].(type) {
		case rpc.Leave:
			got[fmt.Sprint(of.ID, " leaves: ", of.Cause)] = true
		case rpc.Registration:
			got[of.ID+" joins"] = true
		}
	}
	if !got["1 leaves: not heard"] || !got["2 joins"] {
		t.Errorf("%v", got)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestWhoDoesNotBelongToTheClusterIsRefused(t *testing.T) {
	authority, other := newAuthority(t), newAuthority(t)
	ours, theirs := issue(t, authority), issue(t, other)
	ours.Token = "secret"
	jm := serving(t, Options{Version: "7.1", Security: ours, Log: quiet("").Log})
	with := func(change func(*security.Config)) security.Config {
		c := ours
		change(&c)
		return c
	}
	for name, c := range map[string]struct {
		config security.Config
		want   string
	}{
		"token":             {with(func(c *security.Config) { c.Token = "other" }), "the token is not the cluster's"},
		"no token":          {with(func(c *security.Config) { c.Token = "" }), "the token is not the cluster's"},
		"their certificate": {with(func(c *security.Config) { c.Certificate, c.Key = theirs.Certificate, theirs.Key }), "does not trust our certificate"},
		"their authority":   {with(func(c *security.Config) { c.CA = theirs.CA }), "is not trusted"},
		"none":              {ours, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			err := DialWorker(ctx, Options{Security: c.config, Log: quiet("").Log}, jm.address, func(context.Context, rpc.JobManager) {})
			var refusal *Refusal
			if c.want == "" && (err != nil || ctx.Err() != nil) || c.want != "" && (!errors.As(err, &refusal) || !strings.Contains(refusal.Reason, c.want)) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// The advice is about the name, and not about the files.
func TestJobManagerOfAnotherName(t *testing.T) {
	ours := issue(t, newAuthority(t))
	jm := serving(t, Options{Security: ours, Log: quiet("").Log})
	_, port, _ := net.SplitHostPort(jm.address)
	err := DialWorker(t.Context(), Options{Security: ours, Log: quiet("").Log}, net.JoinHostPort("localhost", port), func(context.Context, rpc.JobManager) {})
	if err == nil || !strings.Contains(err.Error(), "is not for the host that it was called by: x509: certificate is not valid for any names, but wanted to match localhost: set jobmanager.rpc.address") {
		t.Errorf("%v", err)
	}
}

func TestWhoForgetsTLSIsToldWhatToSet(t *testing.T) {
	jm := serving(t, Options{Security: issue(t, newAuthority(t)), Log: quiet("").Log})
	said := make(chan string, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	log := slog.New(slog.NewTextHandler(writes(func(p []byte) {
		select {
		case said <- string(p):
		default:
		}
		cancel()
	}), nil))
	if err := DialTaskManager(ctx, Options{Log: log}, jm.address, func(context.Context, rpc.ResourceManager) {}); err != nil {
		t.Error(err)
	}
	if s := <-said; !strings.Contains(s, "security.tls.* must be set") {
		t.Errorf("it said %s", s)
	}
}

// writes is a writer that is a function.
type writes func([]byte)

func (w writes) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}

func newAuthority(t *testing.T) *security.Authority {
	a, err := security.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func issue(t *testing.T, a *security.Authority) security.Config {
	c, err := a.Issue(t.TempDir(), "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestHostileBytesEndTheirConnectionOnly(t *testing.T) {
	jm := serving(t, quiet("1"))
	w, _ := worker(t, jm)
	for _, bytes := range []string{"GET / HTTP/1.1\r\n\r\n", strings.Repeat("\xff", 1<<16), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\x00\x00"} {
		c, err := net.Dial("tcp", jm.address)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(c, bytes)
		_ = c.SetReadDeadline(time.Now().Add(time.Minute))
		var deadline net.Error
		if _, err := io.Copy(io.Discard, c); errors.As(err, &deadline) && deadline.Timeout() {
			t.Errorf("%.20q: the connection stays open", bytes)
		}
		_ = c.Close()
	}
	w.master.RequestSplits(rpc.SplitRequest{})
	jm.expect(t, "RequestSplits")
}

// Another build asks, with another number of the protocol.
func TestAnotherProtocolIsRefusedWithBothVersions(t *testing.T) {
	jm := serving(t, quiet("7.1"))
	o := quiet("8.2")
	c, err := newClient(o, jm.address)
	if err != nil {
		t.Fatal(err)
	}
	c.protocol = "99"
	_, err = c.worker(t.Context(), func(context.Context, rpc.JobManager) { t.Error("admitted") })
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("%v", err)
	}
	for _, part := range []string{"7.1", "8.2", "protocol 1", `"99"`} {
		if !strings.Contains(refusal.Reason, part) {
			t.Errorf("%s: nothing of %s", refusal.Reason, part)
		}
	}
}

func TestWhatOthersCanReachMustBeSecured(t *testing.T) {
	c := issue(t, newAuthority(t))
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		for _, config := range []security.Config{{}, {Token: "t"}, c} {
			if s, err := Listen(Options{Security: config}, address); err == nil {
				t.Errorf("listens on %s", s.Addr())
			}
		}
	}
	c.Token = "t"
	s, err := Listen(Options{Security: c}, "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
}
