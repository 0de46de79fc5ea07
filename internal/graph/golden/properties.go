package golden

import (
	"errors"
	"fmt"

	"github.com/flott-dev/flott/internal/graph/program"
)

var chainings = map[string]program.Chaining{
	"always":          program.ChainAlways,
	"head":            program.ChainHead,
	"never":           program.ChainNever,
	"headWithSources": program.ChainHeadWithSources,
}

// check finds what breaks the format: words that it does not know, and settings where no operator is.
func (p *Properties) check(virtual bool) error {
	if virtual && *p != (Properties{}) {
		return errors.New("properties on a virtual step")
	}
	if p.Chaining != nil && chainings[*p.Chaining] == "" {
		return fmt.Errorf("unknown chaining %q", *p.Chaining)
	}
	return nil
}

// set makes the settings on the operator of a step, in the order of the format.
func (p *Properties) set(t *program.Transformation) {
	sink := t.Kind == program.KindSink || t.Kind == program.KindLegacySink
	apply(p.Parallelism, t.SetParallelism)
	apply(p.MaxParallelism, t.SetMaxParallelism)
	if p.ForceNonParallel && !sink {
		t.ForceNonParallel()
	}
	apply(p.Name, t.SetName)
	apply(p.Description, t.SetDescription)
	apply(p.UID, t.SetUID)
	apply(p.UIDHash, t.SetUserHash)
	apply(p.SlotSharingGroup, t.SetSlotSharingGroup)
	apply(p.CoLocation, t.SetCoLocation)
	apply(p.BufferTimeoutMs, t.SetBufferTimeout)
	if p.Chaining != nil {
		t.SetChaining(chainings[*p.Chaining])
	}
}

func apply[T any](value *T, set func(T)) {
	if value != nil {
		set(*value)
	}
}
