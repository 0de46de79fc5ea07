package client

import (
	"context"
	"errors"
	"net/http"
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
	for {
		moved, err := try()
		if !c.passes(err) || ctx.Err() != nil {
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
func (c *Client) passes(err error) bool {
	var lost *Unreachable
	if errors.As(err, &lost) {
		return lost.Met
	}
	var answer *Error
	return errors.As(err, &answer) && (answer.Status == http.StatusBadGateway || answer.Status == http.StatusServiceUnavailable || answer.Status == http.StatusGatewayTimeout)
}
