package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// JobManager is the path of its process.
const JobManager = "/jobmanager"

// TaskManager is the path of a TaskManager's process.
func TaskManager(name string) string { return "/taskmanagers/" + url.PathEscape(name) }

// TaskManagers is the ids of those that are connected.
func (c *Client) TaskManagers(ctx context.Context) ([]string, error) {
	var answer struct {
		TaskManagers []struct{ ID string }
	}
	if err := c.look(ctx, "/taskmanagers", &answer); err != nil {
		return nil, err
	}
	var all []string
	for _, t := range answer.TaskManagers {
		all = append(all, t.ID)
	}
	return all, nil
}

// A LogFile is a log file of a process.
type LogFile struct {
	Name     string
	Size     int64
	Modified int64 `json:"mtime"` // milliseconds since the epoch
}

// Logs is the log files of a process, those of its workers too.
func (c *Client) Logs(ctx context.Context, process string) ([]LogFile, error) {
	var answer struct{ Logs []LogFile }
	err := c.look(ctx, process+"/logs", &answer)
	return answer.Logs, err
}

// Log copies one of them, from an offset on, and says how much that was.
func (c *Client) Log(ctx context.Context, process, name string, offset int64, to io.Writer) (int64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+process+"/logs/"+url.PathEscape(name), nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Log-Offset", strconv.FormatInt(offset, 10))
	a, err := c.request(r)
	if err != nil {
		return 0, err
	}
	defer func() { _ = a.Body.Close() }() // it was read
	return io.Copy(to, a.Body)
}
