package rest

import (
	"bufio"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/control/logbook"
	"github.com/flott-dev/flott/internal/control/view"
)

// # Lines of logs
//
// The JobManager keeps the newest lines of its log (package logbook). A TaskManager is asked for the end of its log file, whose lines are
// numbered by the byte behind them: who asks for those after a number reads on from there.

type logLines struct {
	Lines []logbook.Line `json:"lines"` // oldest first
	Last  int64          `json:"last"`  // number to go on after
}

const (
	someLines = 500     // when nobody says how many
	mostLines = 5000    // in one answer
	logTail   = 1 << 20 // bytes of a file that are read at a time
)

// filter is which lines the query wants.
func (c *call) filter() (f logbook.Filter, err error) {
	f = logbook.Filter{Query: strings.ToLower(c.param("q")), Limit: someLines}
	if given := c.param("level"); given != "" && f.Level.UnmarshalText([]byte(given)) != nil {
		return f, c.badQuery("level")
	}
	if c.param("level") == "" {
		f.Level = slog.LevelDebug
	}
	if given := c.param("after"); given != "" {
		if f.After, err = strconv.ParseInt(given, 10, 64); err != nil || f.After < 0 {
			return f, c.badQuery("after")
		}
	}
	if given := c.param("limit"); given != "" {
		if f.Limit, err = strconv.Atoi(given); err != nil || f.Limit < 1 {
			return f, c.badQuery("limit")
		}
	}
	f.Limit = min(f.Limit, mostLines)
	return f, nil
}

// ownLines is those of the JobManager.
func (c *call) ownLines() (l logLines, err error) {
	f, err := c.filter()
	if err != nil {
		return l, err
	}
	if c.server.options.Book == nil {
		return l, refuse(http.StatusNotFound, "Nothing keeps the lines of this process's log.")
	}
	l.Lines, l.Last = c.server.options.Book.Lines(f)
	return l, nil
}

// lines is those of the end of a log file.
func (of whose) lines(c *call) (l logLines, err error) {
	f, err := c.filter()
	if err != nil {
		return l, err
	}
	p, err := of(c)
	if err != nil {
		return l, err
	}
	file, err := c.logFile(p)
	if err != nil {
		return l, err
	}
	if f.After > file.Size {
		f.After = 0 // it was begun anew
	}
	return tail(c, p, file, f)
}

// tail reads a file from a line on, or the end of it if that is too long ago.
func tail(c *call, p view.Process, file view.LogFile, f logbook.Filter) (l logLines, err error) {
	from := max(f.After, file.Size-logTail)
	log, err := p.Log(c.Context(), file.Name, from)
	if err != nil {
		return l, err
	}
	text := bufio.NewReader(io.LimitReader(log, logTail))
	if from > f.After { // somewhere in a line
		cut, _ := text.ReadString('\n') // what is wrong Read will find, too
		from += int64(len(cut))
	}
	l.Lines, l.Last, err = logbook.Read(text, from, f)
	return l, errors.Join(err, log.Close())
}

// logFile is the file that the query names, or else the main one: the first that no worker writes.
func (c *call) logFile(p view.Process) (view.LogFile, error) {
	files, err := p.Logs(c.Context())
	if err != nil {
		return view.LogFile{}, err
	}
	want := c.param("file")
	for _, f := range files {
		if f.Name == want || want == "" && strings.HasSuffix(f.Name, ".log") && !strings.HasPrefix(f.Name, "worker-") {
			return f, nil
		}
	}
	return view.LogFile{}, view.ErrUnknownFile
}

// follow sends new lines of the log, if the page wants them: at first those that there are.
func (f *feed) follow() error {
	if f.lines == nil {
		return nil
	}
	lines, last := f.server.options.Book.Lines(*f.lines)
	if last == f.lines.After {
		return nil
	}
	f.lines.After = last
	return f.sendJSON("log", logLines{lines, last})
}
