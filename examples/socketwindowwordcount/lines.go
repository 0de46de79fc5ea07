package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// settle is how long no result must come for a window to be complete.
const settle = 200 * time.Millisecond

// showLines runs the job and prints a line per window.
func showLines(ctx context.Context, addr, page string, b *board, job func(context.Context) error) error {
	fmt.Printf("%s: counting the words of %s in windows of %s; look at it on http://%s\n", jobName, addr, windowSize, page)
	ended := make(chan error, 1)
	go func() { ended <- job(ctx) }() // ends with ctx or its input; its error is what showLines returns
	complete := time.NewTimer(settle)
	complete.Stop()
	for {
		select {
		case err := <-ended:
			return unlessCancelled(err)
		case <-b.changed:
			complete.Reset(settle)
		case <-complete.C:
			fmt.Println(b.frame().line())
		}
	}
}

func (f frame) line() string {
	var top []string
	for _, e := range f.Counts[:min(10, len(f.Counts))] {
		top = append(top, fmt.Sprintf("%s %d", e.Word, e.Count))
	}
	return fmt.Sprintf("window %d: %d words, %d different; %s", f.Window, f.words(), len(f.Counts), strings.Join(top, ", "))
}

// unlessCancelled is nil for a job that ended because its time was up or a key was pressed.
func unlessCancelled(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}
