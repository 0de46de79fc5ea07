package rest

import "fmt"

type accumulatorsBody struct {
	Job        []accumulator     `json:"job-accumulators"`
	User       []accumulator     `json:"user-task-accumulators"`
	Serialized map[string]string `json:"serialized-user-task-accumulators"`
}

// An accumulator of Flink has no counterpart in flott: programs count with metrics. So all lists of them are empty.
type accumulator struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Value string `json:"value"`
}

func (c *call) accumulators() (accumulatorsBody, error) {
	_, err := c.job()
	return accumulatorsBody{[]accumulator{}, []accumulator{}, map[string]string{}}, err
}

type vertexAccumulators struct {
	ID   string        `json:"id"`
	User []accumulator `json:"user-accumulators"`
}

func (c *call) vertexAccumulators() (vertexAccumulators, error) {
	p, err := c.vertex()
	if err != nil {
		return vertexAccumulators{}, err
	}
	return vertexAccumulators{p.graph.ID.String(), []accumulator{}}, nil
}

type subtasksAccumulators struct {
	ID          string               `json:"id"`
	Parallelism int                  `json:"parallelism"`
	Subtasks    []subtaskAccumulator `json:"subtasks"`
}

type subtaskAccumulator struct {
	Subtask  int           `json:"subtask"`
	Attempt  int           `json:"attempt"`
	Endpoint string        `json:"endpoint"`
	User     []accumulator `json:"user-accumulators"`
}

func (c *call) subtasksAccumulators() (subtasksAccumulators, error) {
	p, err := c.vertex()
	if err != nil {
		return subtasksAccumulators{}, err
	}
	all := subtasksAccumulators{p.graph.ID.String(), p.now.Parallelism, []subtaskAccumulator{}}
	for i, a := range current(p.now) {
		all.Subtasks = append(all.Subtasks, subtaskAccumulator{i, a.Execution.Attempt, endpointOf(a.Location), []accumulator{}})
	}
	return all, nil
}

type attemptAccumulators struct {
	Subtask int           `json:"subtask"`
	Attempt int           `json:"attempt"`
	ID      string        `json:"id"` // of the attempt: graph, vertex, subtask, number
	User    []accumulator `json:"user-accumulators"`
}

func (c *call) attemptAccumulators() (attemptAccumulators, error) {
	p, i, a, err := c.attempt()
	if err != nil {
		return attemptAccumulators{}, err
	}
	n := a.Execution.Attempt
	return attemptAccumulators{i, n, fmt.Sprintf("%s_%s_%d_%d", p.job.ID, p.graph.ID, i, n), []accumulator{}}, nil
}
