package main

import (
	"context"
	_ "embed"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
)

//go:embed prose.txt
var prose string

// perLine is the pause after each line: a fast reader, some twenty thousand words a minute.
const perLine = 25 * time.Millisecond

// A feed serves the prose, line by line and over and over, to whoever connects. Close ends its goroutines and waits for them.
type feed struct {
	ln   net.Listener
	stop context.CancelFunc
	done sync.WaitGroup
}

func serve(ctx context.Context) (*feed, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serving the prose: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	f := &feed{ln: ln, stop: stop}
	f.done.Go(func() { f.accept(ctx) })
	return f, nil
}

// Addr is where the prose is served.
func (f *feed) Addr() string { return f.ln.Addr().String() }

// Close ends the feed.
func (f *feed) Close() error {
	f.stop()
	defer f.done.Wait()
	return f.ln.Close()
}

// accept ends when the listener is closed; a client that is gone is no error.
func (f *feed) accept(ctx context.Context) {
	for {
		c, err := f.ln.Accept()
		if err != nil {
			return
		}
		f.done.Go(func() {
			send(ctx, c)
			_ = c.Close() // the client is gone, or gets the end of the text
		})
	}
}

func send(ctx context.Context, c net.Conn) {
	tick := time.NewTicker(perLine)
	defer tick.Stop()
	for {
		for line := range strings.Lines(prose) {
			if _, err := c.Write([]byte(line)); err != nil {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}
}
