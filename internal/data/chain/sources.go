package chain

import "github.com/flott-dev/flott/internal/data/operator"

// sources are the sources of a chain that have not ended: the head if it is one, or those chained in front of it, which take
// turns.
type sources struct {
	open  []*member
	turn  int // index of the one that is next
	quiet int // how many in a row had nothing
}

func (s *sources) find(first []member) {
	for i := range first {
		if _, ok := first[i].Operator.(operator.Puller); ok {
			s.open = append(s.open, &first[i])
		}
	}
}

// Pulls says that the chain has a source that has not ended.
func (c *Chain) Pulls() bool { return len(c.sources.open) > 0 }

// Pull calls the source whose turn it is. It waits when none of them has anything, and ends with the last of them. A source that has ended
// is finished at once, as others may not have.
func (c *Chain) Pull() (operator.Pulled, error) {
	s := &c.sources
	m := s.open[s.turn]
	before := m.link.Enter()
	found, err := m.Operator.(operator.Puller).Pull()
	if err = m.link.Leave(before, err); err != nil {
		return found, err
	}
	switch found {
	case operator.More:
		s.quiet = 0
		s.turn++
	case operator.Waiting:
		s.quiet++
		s.turn++
	case operator.Ended:
		s.open = append(s.open[:s.turn], s.open[s.turn+1:]...)
		err = c.finish(m)
	}
	if s.turn >= len(s.open) {
		s.turn = 0
	}
	return s.found(), err
}

// found is what all of them together have found.
func (s *sources) found() operator.Pulled {
	switch {
	case len(s.open) == 0:
		return operator.Ended
	case s.quiet >= len(s.open):
		s.quiet = 0
		return operator.Waiting
	}
	return operator.More
}
