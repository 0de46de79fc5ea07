package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, l Limits) *Store {
	t.Helper()
	s, err := Open(t.TempDir(), l)
	check(t, err)
	return s
}

// some is bytes that nobody else has.
func some(seed byte, size int) ([]byte, Hash) {
	b := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{seed}).Read(b) // never fails
	return b, sha256.Sum256(b)
}

func put(t *testing.T, s *Store, h Hash, b []byte) {
	t.Helper()
	have, err := s.Put(t.Context(), h, 0, int64(len(b)), bytes.NewReader(b))
	check(t, err)
	if have != int64(len(b)) {
		t.Fatalf("%d bytes are there", have)
	}
}

// wants asserts what of a blob is there.
func wants(t *testing.T, s *Store, h Hash, have int64, complete bool) {
	t.Helper()
	if n, c, err := s.Has(t.Context(), h); err != nil || n != have || c != complete {
		t.Errorf("has %d bytes, complete %v, error %v; want %d, %v", n, c, err, have, complete)
	}
}

func TestUploadIsResumed(t *testing.T) {
	s := open(t, Limits{})
	b, h := some(1, 200_000)
	broken := errors.New("broken")
	have, err := s.Put(t.Context(), h, 0, int64(len(b)), io.MultiReader(bytes.NewReader(b[:70_000]), iotest.ErrReader(broken)))
	if have != 70_000 || !errors.Is(err, broken) {
		t.Fatalf("%d bytes are there, error %v", have, err)
	}
	wants(t, s, h, 70_000, false)
	if _, _, err := s.Use(h); !errors.Is(err, ErrMissing) {
		t.Errorf("a part can be used: %v", err)
	}
	var refusal *view.Refusal
	if have, err = s.Put(t.Context(), h, 70_001, int64(len(b)), bytes.NewReader(b[70_001:])); have != 70_000 || !errors.As(err, &refusal) || !refusal.Conflict {
		t.Errorf("a gap is accepted: %d, %v", have, err)
	}
	s, err = Open(s.folder, Limits{}) // a new process
	check(t, err)
	have, err = s.Put(t.Context(), h, 60_000, int64(len(b)), bytes.NewReader(b[60_000:]))
	check(t, err)
	wants(t, s, h, have, true)
	path, release, err := s.Use(h)
	check(t, err)
	defer release()
	got, err := os.ReadFile(path)
	check(t, err)
	if !bytes.Equal(got, b) {
		t.Error("the contents are others")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o500 {
		t.Errorf("it cannot be run: %v, %v", info, err)
	}
}

func TestOtherContentsAreRefused(t *testing.T) {
	s := open(t, Limits{})
	b, h := some(1, 1000)
	other, _ := some(2, 1000)
	var refusal *view.Refusal
	if _, err := s.Put(t.Context(), h, 0, 1000, bytes.NewReader(other)); !errors.As(err, &refusal) {
		t.Errorf("the error is %v", err)
	}
	wants(t, s, h, 0, false)
	put(t, s, h, b)
	wants(t, s, h, 1000, true)
}

func TestConcurrentUploads(t *testing.T) {
	s := open(t, Limits{})
	b, h := some(1, 1_000_000)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if have, err := s.Put(t.Context(), h, 0, int64(len(b)), iotest.HalfReader(bytes.NewReader(b))); err != nil || have != int64(len(b)) {
				t.Errorf("%d bytes, error %v", have, err)
			}
		})
	}
	all.Wait()
	wants(t, s, h, int64(len(b)), true)
	if len(s.mu.parts) != 0 {
		t.Error("parts are left open")
	}
}

// One client that does not go on holds up none of the others.
func TestHangingUploadHoldsUpNobody(t *testing.T) {
	s := open(t, Limits{})
	b, h := some(1, 100_000)
	hanging, client := io.Pipe()
	ended := make(chan error)
	go func() { // ends with the pipe
		_, err := s.Put(t.Context(), h, 0, int64(len(b)), hanging)
		ended <- err
	}()
	_, err := client.Write(b[:100])
	check(t, err)
	put(t, s, h, b)
	wants(t, s, h, int64(len(b)), true)
	_, err = client.Write(b[100:])
	check(t, err)
	check(t, <-ended)
}

func age(t *testing.T, s *Store, path string, by time.Duration) {
	t.Helper()
	at := time.Now().Add(-by)
	check(t, os.Chtimes(path, at, at))
}

func TestOldOnesAreDeleted(t *testing.T) {
	s := open(t, Limits{Bytes: 2500, Age: time.Hour})
	var hashes []Hash
	for i := range 2 {
		b, h := some(byte(i), 1000)
		put(t, s, h, b)
		age(t, s, s.path(h), time.Duration(10-i)*time.Minute)
		hashes = append(hashes, h)
	}
	_, release, err := s.Use(hashes[0])
	check(t, err)
	age(t, s, s.path(hashes[0]), 2*time.Hour)
	b, h := some(9, 1000)
	put(t, s, h, b) // there is room for two
	wants(t, s, hashes[0], 1000, true)
	wants(t, s, hashes[1], 0, false)
	wants(t, s, h, 1000, true)
	release()
	release() // does nothing
	wants(t, s, hashes[0], 0, false)
	b, h = some(10, 1000)
	_, err = s.Put(t.Context(), h, 0, 1000, bytes.NewReader(b[:10]))
	check(t, err)
	age(t, s, s.partPath(h), partAge+time.Second)
	s.clean(0)
	wants(t, s, h, 0, false)
	var refusal *view.Refusal
	if _, err = s.Put(t.Context(), h, 0, 2501, nil); !errors.As(err, &refusal) {
		t.Errorf("one that is too large: %v", err)
	}
}

// Nothing has to happen for them to go.
func TestOldOnesAreDeletedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, Limits{Age: time.Hour})
		b, h := some(1, 1000)
		put(t, s, h, b)
		age(t, s, s.path(h), 50*time.Minute)
		ctx, end := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); s.Run(ctx) }() // ends with the test
		synctest.Wait()
		wants(t, s, h, 1000, true)
		time.Sleep(16 * time.Minute)
		synctest.Wait()
		wants(t, s, h, 0, false)
		end()
		<-done
	})
}

// A limit for the size of files stands in for a disk that is full.
func TestFullDisk(t *testing.T) {
	var old syscall.Rlimit
	check(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old))
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	s := open(t, Limits{})
	b, h := some(1, 300_000)
	check(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100_000, Max: old.Max}))
	have, err := s.Put(t.Context(), h, 0, int64(len(b)), bytes.NewReader(b))
	check(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old))
	if have < 64<<10 || have > 100_000 || !errors.Is(err, syscall.EFBIG) {
		t.Errorf("%d bytes, error %v", have, err)
	}
	have, err = s.Put(t.Context(), h, have, int64(len(b)), bytes.NewReader(b[have:]))
	check(t, err)
	wants(t, s, h, have, true)
}

// cut breaks off every answer after some bytes.
type cut struct {
	http.ResponseWriter
	left int
}

func (c *cut) Write(b []byte) (int, error) {
	if len(b) > c.left {
		_, _ = c.ResponseWriter.Write(b[:c.left])
		_ = http.NewResponseController(c.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	c.left -= len(b)
	return c.ResponseWriter.Write(b)
}

func TestFetch(t *testing.T) {
	origin, node := open(t, Limits{}), open(t, Limits{})
	b, h := some(1, 200_000)
	put(t, origin, h, b)
	var asked, bytesAsked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "secret" {
			t.Error("the header is missing")
		}
		if asked.Add(1) == 1 {
			w = &cut{w, 90_000}
		}
		origin.ServeHTTP(w, r)
		if n, err := strconv.Atoi(w.Header().Get("Content-Length")); err == nil {
			bytesAsked.Add(int64(n))
		}
	}))
	defer server.Close()
	from := Origin{URL: server.URL, Header: http.Header{"Authorization": {"secret"}}}
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			if err := node.Fetch(t.Context(), h, from); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	wants(t, node, h, int64(len(b)), true)
	if asked.Load() != 2 || bytesAsked.Load() != 110_000 {
		t.Errorf("asked %d times, for %d bytes the second time", asked.Load(), bytesAsked.Load())
	}
	check(t, node.retry(t.Context(), h, from)) // as of one who asks as another fetch ends
	if asked.Load() != 2 {
		t.Error("what is there was asked for")
	}
	if err := node.Fetch(t.Context(), Hash{1}, from); !errors.Is(err, ErrMissing) {
		t.Errorf("one that is missing: %v", err)
	}
}

func TestHostileRequests(t *testing.T) {
	s := open(t, Limits{})
	for path, want := range map[string]int{
		Path + "../../etc/passwd": http.StatusBadRequest,
		Path:                      http.StatusBadRequest,
		Path + hex.EncodeToString(make([]byte, 32)):   http.StatusNotFound,
		Path + hex.EncodeToString(make([]byte, 1000)): http.StatusBadRequest,
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != want {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}
