package schedule

import (
	"github.com/flott-dev/flott/internal/decide/slots"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/id"
)

// An Enumerator is one life of the enumerator of a source. When its source starts from the beginning, the next one starts, with the
// next number.
type Enumerator struct {
	Operator id.Operator
	Number   int // of the source's, from 0
}

// A source is an operator that may have an enumerator: only workers know. One that has none is reported as ended at once.
type source struct {
	operator  id.Operator
	vertex    int
	number    int            // of its newest enumerator; -1: there was none
	host      slots.WorkerID // of that
	open      bool           // it has not ended
	cancelled bool
	wave      *wave // that waits for its end
}

func (j *Job) newSources() {
	for v := range j.graph.Vertices {
		chain := j.graph.Vertices[v].Job.Chain
		for i := range chain {
			if chain[i].Source() {
				j.sources = append(j.sources, source{operator: chain[i].ID, vertex: v, number: -1})
			}
		}
	}
}

func (s *source) enumerator() Enumerator { return Enumerator{s.operator, s.number} }

// openSource begins the next enumerator of a source, beside its first reader.
func (j *Job) openSource(s *source) Enumerator {
	s.number++
	s.host = j.slots[j.at(execgraph.Subtask{Vertex: s.vertex}).slot].place.Worker
	s.open, s.cancelled, s.wave = true, false, nil
	j.live++
	return s.enumerator()
}

// cancelSource cancels an enumerator that has not ended, for a wave or for good.
func (j *Job) cancelSource(c *Cancel, s *source, w *wave) {
	s.wave = w
	if s.open && !s.cancelled {
		s.cancelled = true
		c.Enumerators = append(c.Enumerators, s.enumerator())
	}
}

// HostOf is the worker of the newest enumerator of a source; "": there is none.
func (j *Job) HostOf(operator id.Operator) slots.WorkerID {
	for i := range j.sources {
		if s := &j.sources[i]; s.operator == operator && s.open {
			return s.host
		}
	}
	return ""
}

// sourceEnded takes the end of an enumerator. If it was not to end, and has failed, its readers cannot go on.
func (j *Job) sourceEnded(e SourceEnded) {
	for i := range j.sources {
		s := &j.sources[i]
		if s.enumerator() != e.Enumerator || !s.open {
			continue
		}
		s.open = false
		j.ended(s.wave)
		if e.Cause != nil {
			j.sourceFailed(s, Failure{Cause: e.Cause})
		}
	}
}

func (j *Job) sourceFailed(s *source, f Failure) {
	readers := j.readers(s)
	if s.cancelled || len(readers) == 0 {
		j.do(Suppress{f})
		return
	}
	j.fail(f, readers...)
}

// readers is the subtasks of a source, which start again without its enumerator; none when all are at their end.
func (j *Job) readers(s *source) (all []execgraph.Subtask) {
	open := false
	for i := range j.graph.Vertices[s.vertex].Executions {
		all = append(all, execgraph.Subtask{Vertex: s.vertex, Index: i})
		open = open || j.graph.Vertices[s.vertex].Executions[i].State != execgraph.Finished
	}
	if !open {
		return nil
	}
	return all
}

// loseSources ends the enumerators of a worker, and returns the subtasks that cannot go on without.
func (j *Job) loseSources(l WorkerLost) (hit []execgraph.Subtask) {
	for i := range j.sources {
		s := &j.sources[i]
		if !s.open || s.host != l.Worker {
			continue
		}
		s.open = false
		j.ended(s.wave)
		if !s.cancelled {
			hit = append(hit, j.readers(s)...)
		}
	}
	return hit
}
