// Package client speaks with a JobManager over REST. It is how programs submit their jobs to a cluster, and how flott's command line
// shows them.
//
// # When nobody answers
//
// A JobManager that has never answered is an error at once: nothing runs there, or the address is wrong. One that has answered before
// is asked again for a while, by whatever can be asked twice: it may be restarting, and networks cut connections. An upload goes on
// from the byte up to which the server has it, output from the byte up to which it was written, and a submission has an id, so that
// the second one is the first.
package client

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/security"
)

// Options are the settings of a client.
type Options struct {
	Token   string      // of the cluster; "": it wants none
	TLS     *tls.Config // nil: none, unless the address says https
	Version string      // of flott, for the cluster to compare
	// Patience is how long a JobManager that has answered before may be away; 0: a minute.
	Patience time.Duration
}

// A Client asks one JobManager. Its methods may be called from any goroutine.
type Client struct {
	base    string // http://HOST:PORT
	http    *http.Client
	options Options
	met     atomic.Bool // it has answered
}

// From is a client as settings say. address is the JobManager's; "": that of the settings, too.
func From(s *config.Settings, address, version string) (*Client, error) {
	if err := s.Err(); err != nil {
		return nil, err
	}
	if address == "" {
		address = net.JoinHostPort(s.Text("rest.address"), s.Text("rest.port"))
	}
	known := security.From(s)
	t, err := known.Client()
	if err != nil {
		return nil, err
	}
	return New(address, Options{Token: known.Token, TLS: t, Version: version})
}

// New is a client of the JobManager at an address: HOST:PORT, or a URL. It does not look whether one is there.
func New(address string, o Options) (*Client, error) {
	base, err := baseOf(address, o.TLS != nil)
	if err != nil {
		return nil, err
	}
	if o.Patience == 0 {
		o.Patience = time.Minute
	}
	transport := &http.Transport{ // the program's own http.DefaultTransport is none of our business
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSClientConfig: o.TLS, TLSHandshakeTimeout: dialTimeout, ForceAttemptHTTP2: true, IdleConnTimeout: time.Minute,
	}
	return &Client{base: base, http: &http.Client{Transport: transport}, options: o}, nil
}

// dialTimeout is how long it may take until a machine answers at all.
const dialTimeout = 10 * time.Second

func baseOf(address string, secure bool) (string, error) {
	full := address
	switch {
	case strings.Contains(address, "://"):
	case secure:
		full = "https://" + address
	default:
		full = "http://" + address
	}
	u, err := url.Parse(full)
	if err != nil || u.Port() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is no address of a JobManager: HOST:PORT, such as 127.0.0.1:8081, or http://HOST:PORT", address)
	}
	return u.Scheme + "://" + u.Host + strings.TrimSuffix(u.Path, "/"), nil
}

// Address is the JobManager's as a URL.
func (c *Client) Address() string { return c.base }

// Close closes connections that are not in use.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// send sends a request once. An answer of any status is no error.
func (c *Client) send(r *http.Request) (*http.Response, error) {
	r.Header.Set("User-Agent", "flott/"+c.options.Version)
	if c.options.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.options.Token)
	}
	a, err := c.do(r)
	if err != nil {
		return nil, c.lost(err)
	}
	c.met.Store(true)
	return a, nil
}

// do waits for the answer: for that of a JobManager as long as it takes, as it may be that of a job that runs for years, but not
// for the first one of whoever it is.
func (c *Client) do(r *http.Request) (*http.Response, error) {
	if c.met.Load() {
		return c.http.Do(r)
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	silence := time.AfterFunc(firstAnswer, func() { cancel(errSilent) })
	defer silence.Stop()
	return c.http.Do(r.WithContext(ctx))
}

// firstAnswer is how long the first one may take to begin.
const firstAnswer = 30 * time.Second

var errSilent = fmt.Errorf("who listens there has said nothing for %v", firstAnswer)

// request sends a request, and wants success.
func (c *Client) request(r *http.Request) (*http.Response, error) {
	a, err := c.send(r)
	if err != nil {
		return nil, err
	}
	if a.StatusCode >= http.StatusMultipleChoices {
		return nil, errors.Join(errorOf(a), a.Body.Close())
	}
	return a, nil
}

// into sends a request, and reads the JSON of its answer.
func (c *Client) into(ctx context.Context, method, path string, body io.Reader, answer any) error {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return err
	}
	a, err := c.request(r)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(a.Body)
	if err := errors.Join(err, a.Body.Close()); err != nil {
		return c.lost(err)
	}
	if isPage(a, text) {
		return &stranger{r.URL.Host, "a web page"}
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("%s is no JobManager that this client understands: %s %s: %w", c.base, method, path, err)
	}
	return nil
}
