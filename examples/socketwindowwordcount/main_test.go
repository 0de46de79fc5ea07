package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The demo ends when its time is up, in the midst of the text, and leaves nothing behind.
func TestRunEndsInTime(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if err := run(ctx, "", "", "127.0.0.1:0", true); err != nil {
		t.Error(err)
	}
}

// While the demo runs, its page is there.
func TestRunHasThePage(t *testing.T) {
	page, err := freeAddress("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, "", "", page, true) }() // ends with ctx
	if !served(ctx, page) {
		t.Error("nobody listens")
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	a, err := client.Get("http://" + page)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(a.Body)
	if err := errors.Join(err, a.Body.Close()); err != nil || !strings.Contains(string(text), "<title>flott</title>") {
		t.Errorf("the page is %s, %v", text, err)
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestRunWithoutServer(t *testing.T) {
	if err := run(t.Context(), "127.0.0.1", "1", "127.0.0.1:0", true); err == nil || !strings.Contains(err.Error(), "nc -lk") {
		t.Errorf("the error %v does not say what to start", err)
	}
}

func TestFeedServesTheProse(t *testing.T) {
	f, err := serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", f.Addr())
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil || !strings.HasPrefix(prose, line) {
		t.Errorf("the first line is %q, %v", line, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
