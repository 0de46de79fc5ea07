// Package halt tells loops that the task they work for has been cancelled.
//
// A batch has hundreds of records, and user code may take long over each of them. So whoever calls user code in a loop asks before
// every call. Most user code takes about a nanosecond, and a question to a context takes as long: a Flag is one load from memory.
//
// The flag of a task travels in its context, and so reaches operators and connectors alike.
package halt

import (
	"context"
	"sync/atomic"
)

// A Flag goes up when its context ends, and stays up.
//
// A loop reads Up itself, by atomic.LoadUint32, which the compiler makes one instruction of. A method would be a call: the loops are
// generic, so they are compiled into the packages of the user's program, where the compiler does not know the bodies of what
// they call, be it a method of atomic.Bool.
type Flag struct {
	Up  uint32 // 1: it is
	ctx context.Context
}

// Err is why the context has ended; nil: it has not.
func (f *Flag) Err() error {
	if atomic.LoadUint32(&f.Up) != 0 {
		return context.Cause(f.ctx)
	}
	return nil
}

func (f *Flag) raise() { atomic.StoreUint32(&f.Up, 1) }

type key struct{}

// Context makes a context with a flag, which is up when cancel returns.
func Context() (ctx context.Context, cancel context.CancelCauseFunc) {
	ctx, end := context.WithCancelCause(context.Background())
	f := &Flag{ctx: ctx}
	return context.WithValue(ctx, key{}, f), func(cause error) {
		end(cause)
		f.raise()
	}
}

// Of is the flag of the context that ctx is or comes from. If that was not made here, as in tests of a connector, the flag goes up
// soon after ctx has ended.
func Of(ctx context.Context) *Flag {
	if f, ok := ctx.Value(key{}).(*Flag); ok {
		return f
	}
	f := &Flag{ctx: ctx}
	context.AfterFunc(ctx, f.raise)
	return f
}
