package sequence

import (
	"fmt"

	"github.com/flott-dev/flott/connector"
)

// A lane is a split: of the records start, start+stride, start+2*stride, ... those from next on.
type lane struct {
	id            string
	start, stride int64
	next          int64
	pace          pace
}

// laneID is the ID of a lane's split.
func laneID(start, stride int64) string { return fmt.Sprintf("%d/%d", start, stride) }

func parseLane(s connector.Split) (*lane, error) {
	l := &lane{id: s.ID}
	if _, err := fmt.Sscanf(s.ID, "%d/%d", &l.start, &l.stride); err != nil || laneID(l.start, l.stride) != s.ID {
		return nil, fmt.Errorf("split %q is not of the form start/stride", s.ID)
	}
	if l.start < 0 || l.start >= l.stride {
		return nil, fmt.Errorf("split %q: the start must be between 0 and the stride", s.ID)
	}
	next, err := s.Offset()
	if err != nil {
		return nil, err
	}
	if l.next = max(next, l.start); l.next%l.stride != l.start {
		return nil, fmt.Errorf("split %q: record %d is not one of it", s.ID, next)
	}
	return l, nil
}

// left is the number of records before the source's end at n.
func (l *lane) left(n int64) int64 {
	if l.next >= n {
		return 0
	}
	return (n-1-l.next)/l.stride + 1
}
