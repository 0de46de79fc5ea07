package halt_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/flott-dev/flott/internal/halt"
)

func TestFlagIsUpWhenCancelReturns(t *testing.T) {
	ctx, cancel := halt.Context()
	child, stop := context.WithCancel(ctx)
	defer stop()
	flag, why := halt.Of(child), errors.New("enough")
	if flag != halt.Of(ctx) {
		t.Error("a context that comes from another has another flag")
	}
	if err := flag.Err(); err != nil || atomic.LoadUint32(&flag.Up) != 0 {
		t.Errorf("before cancel: %v", err)
	}
	cancel(why)
	if err := flag.Err(); !errors.Is(err, why) || atomic.LoadUint32(&flag.Up) == 0 || child.Err() == nil {
		t.Errorf("after cancel: %v", err)
	}
}

func TestFlagOfAnyContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		flag := halt.Of(ctx)
		if err := flag.Err(); err != nil {
			t.Errorf("before cancel: %v", err)
		}
		cancel()
		synctest.Wait()
		if err := flag.Err(); !errors.Is(err, context.Canceled) {
			t.Errorf("after cancel: %v", err)
		}
	})
}
