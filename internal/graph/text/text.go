// Package text shows the four graphs to people: as text that is stable, so that a diff of two plans reads well; as Graphviz; as
// JSON; and as an explanation of what is chained, what is not and why, and what is likely a mistake.
//
// Text has one fact a line and no ids that depend on anything but the program. Indentation says what belongs to what.
package text

import (
	"fmt"
	"strings"

	"github.com/flott-dev/flott/internal/id"
)

// A page is a text as it grows.
type page struct{ b strings.Builder }

// line adds one line at a depth of indentation.
func (p *page) line(depth int, format string, args ...any) {
	p.b.WriteString(strings.Repeat("    ", depth))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
}

func (p *page) String() string { return p.b.String() }

// times is how often an operator runs.
func times(parallelism int) string {
	if parallelism < 0 {
		return "×auto"
	}
	return fmt.Sprintf("×%d", parallelism)
}

// count is n with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// short is the part of an id that people compare.
func short(o id.Operator) string { return o.String()[:8] }

// subtask is a subtask as people count, from 1.
func subtask(i, parallelism int) string { return fmt.Sprintf("%d/%d", i+1, parallelism) }

// span is subtasks from first up to, but without, end.
func span(first, end, parallelism int) string {
	switch end - first {
	case 0:
		return "none"
	case 1:
		return subtask(first, parallelism)
	case parallelism:
		return fmt.Sprintf("all %d", parallelism)
	}
	return fmt.Sprintf("%d-%d/%d", first+1, end, parallelism)
}

// flush is when an output sends blocks that are not full.
func flush(timeoutMs int64) string {
	if timeoutMs < 0 {
		return "sent when full"
	}
	return fmt.Sprintf("sent within %d ms", timeoutMs)
}
