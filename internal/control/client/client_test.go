package client

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/blob"
	"github.com/flott-dev/flott/internal/control/rest"
	"github.com/flott-dev/flott/internal/control/security"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A cluster is a view.Client whose answers are the test's. Its blobs are on disk.
type cluster struct {
	*blob.Store
	submit func(view.Submission) error
	output func(ctx context.Context, from int64, to io.Writer) error
	result func(ctx context.Context) (*view.Result, error)
}

func (c *cluster) Submit(_ context.Context, s view.Submission) (id.Job, error) {
	return s.Job, c.submit(s)
}

func (c *cluster) Output(ctx context.Context, _ id.Job, from int64, to io.Writer) error {
	return c.output(ctx, from, to)
}

func (c *cluster) Result(ctx context.Context, _ id.Job) (*view.Result, error) { return c.result(ctx) }

func (c *cluster) Progress(ctx context.Context, _ id.Job) (*view.Result, error) {
	r, err := c.result(ctx)
	if err == nil {
		r.State = view.Running
	}
	return r, err
}

// A wire is a way to a server whose connections break after some bytes.
type wire struct {
	net.Listener
	target   string
	up, down int64        // how much a connection carries to the server and back; 0: all
	sent     atomic.Int64 // to the server, over all connections
	group    sync.WaitGroup
}

// bench is a client of the cluster over a wire.
func bench(t *testing.T, c *cluster, w *wire, o Options) *Client {
	t.Helper()
	var err error
	c.Store, err = blob.Open(t.TempDir(), blob.Limits{})
	check(t, err)
	server := httptest.NewServer(rest.New(nil, c, rest.Options{Log: slog.New(slog.DiscardHandler), Token: "secret"}))
	w.Listener, err = net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	w.target = server.Listener.Addr().String()
	w.group.Go(w.serve)
	if o.Token == "" {
		o.Token = "secret"
	}
	client, err := New(w.Addr().String(), o)
	check(t, err)
	t.Cleanup(func() {
		client.Close()
		check(t, w.Close())
		w.group.Wait()
		server.Close()
	})
	return client
}

func (w *wire) serve() {
	for {
		near, err := w.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", w.target)
		if err != nil {
			panic(err)
		}
		carry := func(to io.Writer, from io.Reader, most int64) {
			if most > 0 {
				from = io.LimitReader(from, most)
			}
			_, _ = io.Copy(to, from) // either side may go
			_, _ = near.Close(), far.Close()
		}
		w.group.Go(func() { carry(io.MultiWriter(far, (*counter)(&w.sent)), near, w.up) })
		w.group.Go(func() { carry(near, far, w.down) })
	}
}

type counter atomic.Int64

func (c *counter) Write(p []byte) (int, error) {
	(*atomic.Int64)(c).Add(int64(len(p)))
	return len(p), nil
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestUploadGoesOnWhereItWasCut(t *testing.T) {
	var random rand.ChaCha8
	text := make([]byte, piece+piece/4)
	_, _ = random.Read(text)
	hash := view.Hash(sha256.Sum256(text))
	c, w := &cluster{}, &wire{up: piece / 3}
	client := bench(t, c, w, Options{})
	check(t, client.Upload(t.Context(), hash, int64(len(text)), bytes.NewReader(text)))
	path, release, err := c.Use(hash)
	check(t, err)
	defer release()
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%d bytes are there, want %d: %v", len(got), len(text), err)
	}
	once := w.sent.Load()
	if over := once - int64(len(text)); over < 0 || over > piece {
		t.Errorf("%d bytes went up for %d", once, len(text))
	}
	check(t, client.Upload(t.Context(), hash, int64(len(text)), bytes.NewReader(text)))
	if again := w.sent.Load() - once; again > 1000 {
		t.Errorf("%d bytes went up for what is there", again)
	}
}

func TestUploadOfSomethingElse(t *testing.T) {
	client := bench(t, &cluster{}, &wire{}, Options{})
	err := client.Upload(t.Context(), view.Hash{1}, 4, strings.NewReader("text"))
	if refused := (*Error)(nil); !errors.As(err, &refused) || refused.Status != http.StatusBadRequest || !strings.Contains(err.Error(), "not what its hash says") {
		t.Errorf("the error is %v", err)
	}
}

func TestSubmissionThatIsSentTwiceIsOne(t *testing.T) {
	var jobs []id.Job
	c := &cluster{submit: func(s view.Submission) error {
		jobs = append(jobs, s.Job)
		if s.Version != "7" || s.Args[0] != "-x" || string(s.Graph) != "{}" {
			t.Errorf("%+v", s)
		}
		if len(jobs) < 3 {
			return context.Canceled // no answer comes
		}
		return nil
	}}
	client := bench(t, c, &wire{}, Options{Version: "7"})
	client.met.Store(true)
	job, err := client.Submit(t.Context(), view.Submission{Graph: []byte("{}"), Args: []string{"-x"}})
	if err != nil || len(jobs) != 3 || job == (id.Job{}) {
		t.Errorf("job %s, %v, %v", job, jobs, err)
	}
	for _, j := range jobs {
		if j != job {
			t.Errorf("%s is another job than %s", j, job)
		}
	}
}

func TestRefusal(t *testing.T) {
	client := bench(t, &cluster{submit: func(view.Submission) error {
		return &view.Refusal{Reason: "another job has this id", Conflict: true}
	}}, &wire{}, Options{})
	_, err := client.Submit(t.Context(), view.Submission{})
	if refused := (*Error)(nil); !errors.As(err, &refused) || refused.Status != http.StatusConflict || err.Error() != "another job has this id" {
		t.Errorf("the error is %v", err)
	}
}

// Output that does not fit through one connection comes once and in order. Of what is not kept there is a line instead.
func TestOutputGoesOnWhereItWasCut(t *testing.T) {
	const kept = 1000
	text := strings.Repeat("0123456789\n", 20_000)
	c := &cluster{output: func(_ context.Context, from int64, to io.Writer) error {
		if from < kept {
			return &view.NotKept{From: kept}
		}
		_, err := io.WriteString(to, text[from:])
		return err
	}}
	client := bench(t, c, &wire{down: 30_000}, Options{})
	var got strings.Builder
	check(t, client.Output(t.Context(), id.Job{1}, &got))
	want := "... (1000 bytes that were printed here are not kept: they were not read in time)\n" + text[kept:]
	if got.String() != want {
		t.Errorf("%d bytes, want %d", got.Len(), len(want))
	}
}

// slowly reads little at a time.
type slowly struct {
	strings.Builder
	each func()
}

func (s *slowly) Write(p []byte) (int, error) {
	s.each()
	return s.Builder.Write(p)
}

// A reader that is so slow that output is dropped before it comes to it, gets all else, and is told how much that was.
func TestSlowReaderIsToldWhatItHasLost(t *testing.T) {
	const first, dropped = "first\n", 1 << 20
	begun := make(chan struct{})
	c := &cluster{output: func(_ context.Context, from int64, to io.Writer) error {
		switch from {
		case 0:
			_, _ = io.WriteString(to, first)
			<-begun // what comes next would not fit
			return &view.NotKept{From: int64(len(first)) + dropped}
		case int64(len(first)):
			return &view.NotKept{From: int64(len(first)) + dropped}
		}
		_, err := io.WriteString(to, "last\n")
		return err
	}}
	got := &slowly{each: sync.OnceFunc(func() { close(begun) })}
	check(t, bench(t, c, &wire{}, Options{}).Output(t.Context(), id.Job{1}, got))
	if want := first + outputCut(dropped) + "last\n"; got.String() != want {
		t.Errorf("it got %q, want %q", got.String(), want)
	}
}

func TestSilence(t *testing.T) {
	var from int64
	c := &cluster{output: func(_ context.Context, at int64, _ io.Writer) error {
		from = at
		return nil
	}}
	check(t, bench(t, c, &wire{}, Options{}).Silence(t.Context(), id.Job{1}))
	if from != math.MaxInt64 {
		t.Errorf("it has asked for output from %d on", from)
	}
}

func TestOutputThatNobodyTakes(t *testing.T) {
	c := &cluster{output: func(_ context.Context, _ int64, to io.Writer) error {
		_, err := io.WriteString(to, "text")
		return err
	}}
	client := bench(t, c, &wire{}, Options{})
	reader, writer := io.Pipe()
	check(t, reader.Close())
	if err := client.Output(t.Context(), id.Job{1}, writer); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the error is %v", err)
	}
}

func TestResultIsAskedForAgain(t *testing.T) {
	var asked atomic.Int32
	c := &cluster{result: func(context.Context) (*view.Result, error) {
		if asked.Add(1) < 3 {
			return nil, context.Canceled // as when the server ends
		}
		return &view.Result{Job: id.Job{1}, State: view.Finished, Operators: []view.OperatorResult{{Name: "map", Busy: time.Second}}}, nil
	}}
	client := bench(t, c, &wire{}, Options{})
	client.met.Store(true)
	r, err := client.Result(t.Context(), id.Job{1})
	if err != nil || r.State != view.Finished || r.Operators[0].Busy != time.Second || asked.Load() != 3 {
		t.Errorf("%+v, %v, asked %d times", r, err, asked.Load())
	}
	if r, err = client.Progress(t.Context(), id.Job{1}); err != nil || r.State != view.Running || r.Operators[0].Name != "map" {
		t.Errorf("progress %+v, %v", r, err)
	}
}

// A JobManager that was started again has no jobs.
func TestJobIsLost(t *testing.T) {
	asked := 0
	c := &cluster{output: func(_ context.Context, _ int64, to io.Writer) error {
		if asked++; asked > 1 {
			return view.ErrUnknownJob
		}
		_, _ = io.WriteString(to, "text")
		return context.Canceled
	}}
	var got strings.Builder
	err := bench(t, c, &wire{}, Options{}).Output(t.Context(), id.Job{1}, &got)
	if refused := (*Error)(nil); !errors.As(err, &refused) || !strings.HasPrefix(err.Error(), "the JobManager was away") || got.String() != "text" {
		t.Errorf("after %q: %v", got.String(), err)
	}
}

// Who has never answered is not waited for; who has, is for as long as the client has patience.
func TestNobodyAnswers(t *testing.T) {
	const address = "127.0.0.1:1"
	for met, want := range map[bool]string{false: "no cluster answers at http://" + address, true: "the connection to the cluster at http://" + address + " is lost"} {
		synctest.Test(t, func(t *testing.T) {
			client, err := New(address, Options{})
			check(t, err)
			client.met.Store(met)
			begun := time.Now()
			_, err = client.Result(t.Context(), id.Job{1})
			if lost := (*Unreachable)(nil); !errors.As(err, &lost) || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("the error is %v", err)
			}
			patience, waited := client.options.Patience, time.Since(begun)
			if met && (waited <= patience || waited > patience+longestWait) || !met && waited != 0 {
				t.Errorf("met %v: after %v it gave up", met, waited)
			}
		})
	}
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := &cluster{result: func(ctx context.Context) (*view.Result, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	if _, err := bench(t, c, &wire{}, Options{}).Result(ctx, id.Job{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestWrongToken(t *testing.T) {
	_, err := bench(t, &cluster{}, &wire{}, Options{Token: "wrong"}).Result(t.Context(), id.Job{1})
	if err == nil || !strings.Contains(err.Error(), "FLOTT_SECURITY_TOKEN") {
		t.Errorf("the error is %v", err)
	}
}

// What is no flott answers with something else than JSON.
func TestNoJobManager(t *testing.T) {
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "<html>\n")
	}))
	defer server.Close()
	client, err := New(server.URL, Options{})
	check(t, err)
	defer client.Close()
	if _, err := client.Result(t.Context(), id.Job{1}); err == nil || !strings.Contains(err.Error(), "is no JobManager") {
		t.Errorf("the error is %v", err)
	}
	status = http.StatusTeapot
	if _, err := client.Result(t.Context(), id.Job{1}); err == nil || !strings.Contains(err.Error(), "a web page (418 I'm a teapot)") {
		t.Errorf("the error is %v", err)
	}
}

// What stands between may say that the server is away.
func TestGatewaySaysThatNobodyIsThere(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, "<html>") // as most do
			return
		}
		_, _ = io.WriteString(w, "{}")
	}))
	defer server.Close()
	client, err := New(server.URL, Options{})
	check(t, err)
	defer client.Close()
	if err := client.Cancel(t.Context(), id.Job{1}); err != nil || asked != 2 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

func TestAddress(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:8081": "http://127.0.0.1:8081", "http://h:1/": "http://h:1", "https://h:1/flott": "https://h:1/flott", "[::1]:8081": "http://[::1]:8081",
		"": "", "host": "", ":": "", "ftp://h:1": "", "http://h": "", "h:x": "",
	} {
		c, err := New(address, Options{})
		if (err == nil) != (want != "") || err == nil && c.Address() != want {
			t.Errorf("%q is %+v, %v", address, c, err)
		}
	}
}

func TestSettings(t *testing.T) {
	a, err := security.NewAuthority()
	check(t, err)
	files, err := a.Issue(t.TempDir(), "127.0.0.1")
	check(t, err)
	var environment []string
	for _, step := range []struct{ add, address, want string }{
		{"FLOTT_REST_PORT=1", "", "http://127.0.0.1:1"},
		{"FLOTT_SECURITY_TOKEN=secret", "h:2", "http://h:2"},
		{"FLOTT_SECURITY_TLS_CA=" + files.CA, "", ""},
		{"FLOTT_SECURITY_TLS_KEY=" + files.Key, "", ""},
		{"FLOTT_SECURITY_TLS_CERTIFICATE=" + files.Certificate, "", "https://127.0.0.1:1"},
		{"FLOTT_REST_PROT=1", "", ""},
	} {
		environment = append(environment, step.add)
		c, err := From(config.Read("", environment), step.address, "7")
		if (err == nil) != (step.want != "") || err == nil && c.Address() != step.want {
			t.Errorf("with %s it is %+v, %v", step.add, c, err)
		}
	}
}
