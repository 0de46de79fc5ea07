package jobmanager

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// The methods of this file are the part of view.Source and view.Client that is about jobs.

// Jobs is all jobs that are known, newest first, with what was measured last.
func (d *Dispatcher) Jobs(ctx context.Context) ([]*view.Job, error) {
	var all []*view.Job
	for _, m := range d.newest() {
		v, err := last(ctx, m, m.view)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	for _, j := range d.archive.all() {
		all = append(all, j.Job)
	}
	slices.SortStableFunc(all, func(x, y *view.Job) int { return cmp.Compare(y.Start(), x.Start()) })
	return all, nil
}

// Job is one job with its newest metrics.
func (d *Dispatcher) Job(ctx context.Context, job id.Job) (*view.Job, error) {
	if m := d.find(job); m != nil {
		return m.View(ctx)
	}
	if j := d.archive.find(job); j != nil {
		return j.Job, nil
	}
	return nil, view.ErrUnknownJob
}

// Happenings is what has happened lately, newest first.
func (d *Dispatcher) Happenings(after int64) []view.Happening { return d.chronicle.since(after) }

// Cancel asks for a job's end.
func (d *Dispatcher) Cancel(_ context.Context, job id.Job) error {
	m := d.find(job)
	switch {
	case m == nil && d.archive.find(job) != nil:
		return view.ErrJobOver
	case m == nil:
		return view.ErrUnknownJob
	}
	select {
	case <-m.Done():
		return view.ErrJobOver
	default:
		m.Cancel(context.Canceled)
		return nil
	}
}

// Output writes what a job prints, from a byte on, until it is over. Of a job of an earlier process it is not kept.
func (d *Dispatcher) Output(ctx context.Context, job id.Job, from int64, to io.Writer) error {
	if m := d.find(job); m != nil {
		return m.output.copy(ctx, from, to)
	}
	if d.archive.find(job) != nil {
		return nil
	}
	return view.ErrUnknownJob
}

// Result waits for the end of a job.
func (d *Dispatcher) Result(ctx context.Context, job id.Job) (*view.Result, error) {
	if m := d.find(job); m != nil {
		select {
		case <-m.Done():
			return m.viewResult(), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if j := d.archive.find(job); j != nil {
		return j.Result, nil
	}
	return nil, view.ErrUnknownJob
}

// Progress is what a job has counted so far.
func (d *Dispatcher) Progress(ctx context.Context, job id.Job) (*view.Result, error) {
	if m := d.find(job); m != nil {
		return newest(ctx, m, m.progress)
	}
	return d.Result(ctx, job)
}

var errNotArchived = errors.New("it is not a job")
