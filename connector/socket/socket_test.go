package socket_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/connectortest"
	"github.com/flott-dev/flott/connector/socket"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve sends text to everyone who connects, and hangs up, or waits until the test's end.
func serve(t *testing.T, text string, hangUp bool) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	t.Cleanup(func() {
		_ = listener.Close()
		serving.Wait()
	})
	serving.Go(func() { // ends when the listener is closed
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, text)
			if hangUp {
				_ = conn.Close()
			} else {
				defer func() { _ = conn.Close() }()
			}
		}
	})
	return listener.Addr().String()
}

func TestConforms(t *testing.T) {
	var want []string
	for i := range 500 {
		want = append(want, fmt.Sprintf("line %d", i))
	}
	talking := serve(t, strings.Join(want, "\r\n"), true)
	silent := serve(t, "", false)
	connectortest.Source(t, connectortest.SourceCase[string]{
		New:            func() connector.Source[string] { return socket.Lines(talking) },
		Want:           want,
		Once:           true,
		MaxParallelism: 1,
		Silent:         func() connector.Source[string] { return socket.Lines(silent) },
	})
}

// read reads until n lines came, or an error.
func read(t *testing.T, addr string, n int) (lines []string, err error) {
	t.Helper()
	wake := make(chan struct{}, 1)
	r, err := socket.Lines(addr).Reader(t.Context(), func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if err := r.Assign([]connector.Split{{ID: addr}}); err != nil {
		t.Fatal(err)
	}
	b := connector.Batch[string]{V: make([]string, 0, 256)}
	for len(lines) < n {
		b.Reset()
		status, err := r.Read(&b)
		lines = append(lines, b.V...)
		switch {
		case err != nil || status == connector.Done:
			return lines, err
		case status == connector.Wait:
			select {
			case <-wake:
			case <-time.After(time.Minute):
				t.Fatal("nothing came in a minute")
			}
		}
	}
	return lines, nil
}

// A line is there when its end is, not when the server has more to say.
func TestLineComesAtOnce(t *testing.T) {
	lines, err := read(t, serve(t, "first\nhalf a li", false), 1)
	if err != nil || len(lines) != 1 || lines[0] != "first" {
		t.Errorf("read %q, %v; want the first line", lines, err)
	}
}

func TestMissingServer(t *testing.T) {
	const addr = "127.0.0.1:1"
	_, err := read(t, addr, 1)
	if err == nil {
		t.Fatal("no error without a server")
	}
	for _, want := range []string{"no server to read lines from", addr, "refused", "start one first"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
}

func TestAddressIsCheckedBeforeTheJob(t *testing.T) {
	for addr, ok := range map[string]bool{"localhost:9999": true, "[::1]:9999": true, "localhost": false, "": false, "a:b:c": false} {
		if err := socket.Lines(addr).(connector.Checker).Check(); (err == nil) != ok {
			t.Errorf("address %q: Check returned %v", addr, err)
		}
	}
}
