// Package socket reads text lines from a TCP server. It is for trying things out: a connection cannot go back, so records that
// were read before a failure do not come again.
package socket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/internal/line"
)

// dialTimeout is how long a server may take to accept.
const dialTimeout = 10 * time.Second

// Lines makes a source of the lines that a TCP server at addr ("host:port") sends, without what ends them: "\n" or "\r\n". A line
// may have 16 MiB. The source connects once, and ends when the server closes the connection; it fails when there is no server.
func Lines(addr string) connector.Source[string] { return source{addr} }

type source struct{ addr string }

func (s source) Bounded() bool { return false }

func (s source) Describe() connector.Description {
	return connector.Description{Name: "Socket Stream", Parallelism: 1, Fixed: true, Legacy: true}
}

// Check finds an address that cannot be one. Whether a server is there, the job will tell.
func (s source) Check() error {
	if _, _, err := net.SplitHostPort(s.addr); err != nil {
		return fmt.Errorf("the address must be of the form host:port: %w", err)
	}
	return nil
}

func (s source) Enumerator(_ context.Context, setup connector.Setup) (connector.Enumerator, error) {
	return connector.OnDemand(setup, []connector.Split{{ID: s.addr}})
}

func (s source) Reader(ctx context.Context, wake func()) (connector.Reader[string], error) {
	return connector.NewFeed(ctx, wake, readLines), nil
}

func readLines(ctx context.Context, out *connector.Feed[string], addr string, _ int64) error {
	dialer := net.Dialer{Timeout: dialTimeout}
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("no server to read lines from: %w; start one first, such as nc -lk PORT", err)
	}
	hangUp := func() { _ = conn.Close() } // nothing was sent, so nothing is lost
	defer hangUp()
	defer context.AfterFunc(ctx, hangUp)()

	for lines := line.NewReader(conn, 0); ; {
		text, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading lines from %s: %w", addr, err)
		}
		if err := out.Emit(string(text), lines.Offset()); err != nil {
			return err
		}
	}
}
