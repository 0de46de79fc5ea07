package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/flott-dev/flott"
)

// printGraphs shows what the job went through: the first three graphs as pictures, as books show this program, and the tasks as text,
// where width columns are not enough, too.
func printGraphs(w io.Writer, plan *flott.Plan, width int) error {
	stream, err := streamPicture(plan.JSON(flott.StreamGraph))
	if err != nil {
		return err
	}
	job, execution, err := vertexPictures(plan.JSON(flott.ExecutionGraph))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n1. StreamGraph: the operators, and how records travel between them\n\n%s"+
		"\n2. JobGraph: operators that call each other are one vertex\n\n%s"+
		"\n3. ExecutionGraph: the subtasks of each vertex\n\n%s"+
		"\n4. Tasks: what each goroutine ran\n\n%s",
		fitted(stream, width, plan.Text(flott.StreamGraph)),
		fitted(job, width, plan.Text(flott.JobGraph)),
		fitted(execution, width, plan.Text(flott.ExecutionGraph)),
		plan.Text(flott.Tasks))
	return err
}

// fitted is the picture, or a text where there is no room for it.
func fitted(p picture, width int, text string) string {
	if drawn := p.fitted(width); widest(strings.Split(drawn, "\n")) <= width {
		return drawn
	}
	return text
}

// streamPicture draws Flink's streaming plan of a program whose operators stand in line.
func streamPicture(plan []byte) (p picture, err error) {
	var doc struct {
		Nodes []struct {
			Type         string `json:"type"`
			Parallelism  int    `json:"parallelism"`
			Predecessors []struct {
				ShipStrategy string `json:"ship_strategy"`
			} `json:"predecessors"`
		} `json:"nodes"`
	}
	if err := json.Unmarshal(plan, &doc); err != nil {
		return p, fmt.Errorf("the plan of the stream graph: %w", err)
	}
	for _, n := range doc.Nodes {
		p.columns = append(p.columns, column{boxes: []string{sized(n.Type, n.Parallelism)}})
		for _, e := range n.Predecessors {
			p.links = append(p.links, link{label: e.ShipStrategy})
		}
	}
	return p, nil
}

// vertexPictures draws the vertices of a job, and their subtasks.
func vertexPictures(plan []byte) (job, execution picture, err error) {
	var doc struct {
		Vertices []struct {
			Name     string `json:"name"`
			Subtasks []struct {
				KeyGroups [2]int `json:"keyGroups"`
			} `json:"subtasks"`
			Inputs []struct {
				ShipStrategy        string `json:"shipStrategy"`
				DistributionPattern string `json:"distributionPattern"`
			} `json:"inputs"`
		} `json:"vertices"`
	}
	if err := json.Unmarshal(plan, &doc); err != nil {
		return job, execution, fmt.Errorf("the plan of the execution graph: %w", err)
	}
	for _, v := range doc.Vertices {
		all := column{title: v.Name}
		for i, s := range v.Subtasks {
			all.boxes = append(all.boxes, fmt.Sprintf("%d/%d  key groups %d-%d", i+1, len(v.Subtasks), s.KeyGroups[0], s.KeyGroups[1]))
		}
		execution.columns = append(execution.columns, all)
		job.columns = append(job.columns, column{boxes: []string{sized(v.Name, len(v.Subtasks))}})
		for _, in := range v.Inputs {
			l := link{in.ShipStrategy, in.DistributionPattern == "POINTWISE"}
			execution.links, job.links = append(execution.links, l), append(job.links, l)
		}
	}
	return job, execution, nil
}

func sized(name string, parallelism int) string { return fmt.Sprintf("%s ×%d", name, parallelism) }
