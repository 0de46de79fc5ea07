package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

const (
	shortestWait = 50 * time.Millisecond
	longestWait  = 2 * time.Second
)

// again tries until there is a result: success, or an error that will not go away by itself. It gives up when nothing has come of it
// for as long as the client has patience; moved says that a try that failed has got on.
func (c *Client) again(ctx context.Context, try func() (moved bool, err error)) error {
	wait, until := shortestWait, time.Now().Add(c.options.Patience)
	for tries := 1; ; tries++ {
		moved, err := try()
		switch {
		case tries > 1 && has(err, http.StatusNotFound):
			return fmt.Errorf("the JobManager was away, and does not know any more what was asked for: %w", err)
		case !passes(err) || ctx.Err() != nil:
			return err
		}
		if moved {
			wait, until = shortestWait, time.Now().Add(c.options.Patience)
		}
		if time.Now().After(until) {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
		wait = min(2*wait, longestWait)
	}
}

// passes says that an error may be gone soon.
func passes(err error) bool {
	var lost *Unreachable
	if errors.As(err, &lost) {
		return lost.Met
	}
	return has(err, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout)
}

// has says that an error is an answer with one of some statuses.
func has(err error, statuses ...int) bool {
	var answer *Error
	return errors.As(err, &answer) && slices.Contains(statuses, answer.Status)
}
