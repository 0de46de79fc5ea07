package rest

import "github.com/flott-dev/flott/internal/decide/diagnose"

// heldBody is what holds the event time of each subtask of a vertex.
type heldBody struct {
	Subtasks []heldSubtask `json:"subtasks"`
}

type heldSubtask struct {
	Subtask int         `json:"subtask"`
	Value   *int64      `json:"value"`  // null: no watermark yet, or the last
	HeldBy  *holderBody `json:"heldBy"` // null: nobody
	Path    []string    `json:"path"`   // from there to here
}

func (c *call) held() (heldBody, error) {
	p, err := c.vertex()
	if err != nil {
		return heldBody{}, err
	}
	b := heldBody{[]heldSubtask{}}
	o := observationOf(p.job, nil, now())
	for i := range p.now.Subtasks {
		t := diagnose.HeldAt(o, diagnose.Place{Vertex: p.index, Subtask: i})
		w := watermarkBodyOf(p.job, &t)
		b.Subtasks = append(b.Subtasks, heldSubtask{i, w.Value, w.HeldBy, w.Path})
	}
	return b, nil
}
