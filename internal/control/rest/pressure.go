package rest

import "github.com/flott-dev/flott/internal/graph/execgraph"

type backPressure struct {
	Status   string            `json:"status"`
	Level    string            `json:"backpressureLevel,omitempty"`
	End      int64             `json:"end-timestamp,omitempty"`
	Subtasks []subtaskPressure `json:"subtasks,omitempty"`
	Legacy   string            `json:"backpressure-level,omitempty"` // the same as backpressureLevel
}

type subtaskPressure struct {
	Subtask int    `json:"subtask"`
	Level   string `json:"backpressureLevel"`
	Ratio   double `json:"ratio"`
	Idle    double `json:"idleRatio"`
	Busy    double `json:"busyRatio"`
	Legacy  string `json:"backpressure-level"`
}

// backPressure knows no vertex that does not exist, and says that its data are old.
func (c *call) backPressure() (backPressure, error) {
	want, err := c.vertexID()
	if err != nil {
		return backPressure{}, err
	}
	j, err := c.job()
	if err != nil {
		return backPressure{}, err
	}
	p, ok := placeOf(j, want)
	if !ok || j.State.Terminal() {
		return backPressure{Status: "deprecated"}, nil
	}
	b := backPressure{Status: "ok", End: now()}
	worst := 0.0
	for i, a := range current(p.now) {
		if a.State != execgraph.Running {
			continue
		}
		r, _ := c.server.history.rates(p, i, a)
		ratio := r.backPressured / 1000
		worst = max(worst, ratio)
		b.Subtasks = append(b.Subtasks, subtaskPressure{i, level(ratio), double(ratio), double(r.idle / 1000), double(r.busy / 1000), level(ratio)})
	}
	if len(b.Subtasks) == 0 {
		return backPressure{Status: "deprecated"}, nil
	}
	b.Level, b.Legacy = level(worst), level(worst)
	return b, nil
}

// level is Flink's word for a ratio.
func level(ratio float64) string {
	switch {
	case ratio <= 0.1:
		return "ok"
	case ratio <= 0.5:
		return "low"
	}
	return "high"
}
