package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/flott-dev/flott/internal/control/view"
)

// piece is how much of an upload goes in one request.
const piece = 8 << 20

// Upload sends an executable, unless the cluster has it already. What is there of an earlier upload that was cut off is not sent again.
// The cluster checks the hash.
func (c *Client) Upload(ctx context.Context, hash view.Hash, size int64, from io.ReaderAt) error {
	u := &upload{Client: c, path: "/flott/blobs/" + hash.String(), size: size, from: from}
	err := c.again(ctx, func() (bool, error) {
		before := u.have
		err := u.run(ctx)
		return u.have > before, err
	})
	if err != nil {
		return fmt.Errorf("sending the executable to the cluster: %w", err)
	}
	return nil
}

type upload struct {
	*Client
	path string
	size int64
	from io.ReaderAt
	have int64 // bytes that the server has
}

// run sends what is missing.
func (u *upload) run(ctx context.Context) error {
	complete, err := u.ask(ctx)
	for err == nil && !complete {
		complete, err = u.put(ctx)
	}
	return err
}

// ask asks how much the server has.
func (u *upload) ask(ctx context.Context) (complete bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, u.base+u.path, nil)
	if err != nil {
		return false, err
	}
	return u.exchange(r, http.StatusOK, http.StatusNotFound)
}

// put sends one piece.
func (u *upload) put(ctx context.Context) (complete bool, err error) {
	at, n := u.have, min(piece, u.size-u.have)
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, u.base+u.path, io.NewSectionReader(u.from, at, n))
	if err != nil {
		return false, err
	}
	r.ContentLength = n
	r.Header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", at, at+n-1, u.size))
	complete, err = u.exchange(r, http.StatusCreated, http.StatusPermanentRedirect)
	if err == nil && !complete && u.have <= at {
		return false, fmt.Errorf("the cluster has taken %d bytes of %d at byte %d", u.have-at, n, at)
	}
	return complete, err
}

// exchange sends a request that is answered with how much the server has: all of it, or part.
func (u *upload) exchange(r *http.Request, all, part int) (complete bool, err error) {
	a, err := u.send(r)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, a.Body.Close()) }()
	have, failed := strconv.ParseInt(a.Header.Get("Upload-Offset"), 10, 64)
	switch {
	case a.StatusCode == http.StatusConflict: // what was there has gone: another upload broke it. The next try asks again
		return false, u.lost(errorOf(a))
	case a.StatusCode != all && a.StatusCode != part, failed != nil:
		return false, errorOf(a)
	}
	u.have = have
	return a.StatusCode == all, nil
}
