package taskmanager

import (
	"os"
	"runtime"
)

// A cage is the hard limit of what a worker may use.
type cage interface {
	// hold puts a process into the cage, or changes how many bytes it may use; 0: there is no limit.
	hold(p *os.Process, bytes int64) error
	// ranOut says that a process was ended because it wanted more.
	ranOut() bool
	// open ends what is still in the cage. It may be called twice.
	open() error
}

// A processLimit is RLIMIT_DATA, which everybody may set. A process that runs out of it ends by itself.
type processLimit struct{}

// spare is how much the limit is above what a worker may use, in bytes. The kernel counts what is mapped, not what is touched: the
// heap in whole areas of 64 MB, what Go's runtime has for itself, and, where a program uses cgo, 8 MB for the stack of each thread.
var spare = int64(96+8*(16+runtime.NumCPU())) << 20

func (processLimit) hold(p *os.Process, bytes int64) error {
	if bytes > 0 {
		limitMemory(p, bytes+spare)
	}
	return nil
}

func (processLimit) ranOut() bool { return false }
func (processLimit) open() error  { return nil }
