package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/flott-dev/flott"
)

func watch(ctx context.Context, env *flott.Environment) error {
	job, err := env.Start(ctx, "word count") // Execute, but without waiting
	if err != nil {
		return err
	}
	operators, err := job.Metrics(ctx) // as often as you like
	if err != nil {
		return err
	}
	for _, o := range operators {
		fmt.Println(o.Name, o.RecordsIn, o.RecordsOut, o.Watermark, o.Busy, o.Idle, o.BackPressured)
	}
	result, err := job.Wait(ctx)
	if err != nil {
		return err
	}
	fmt.Println("ran", result.RunTime) // result.Operators has the metrics at the end
	return nil
}

func TestWatch(t *testing.T) {
	env := flott.New()
	counts(env.From(flott.Of("to be"))).Discard()
	if err := watch(t.Context(), env); err != nil {
		t.Error(err)
	}
}
