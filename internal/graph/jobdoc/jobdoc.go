// Package jobdoc is the job graph as a document: what a client sends to a cluster, and the cluster to its workers.
//
// A worker runs the program again, and so has a job graph of its own. It must be the client's: Fingerprint tells whether it is, and
// Difference says in words where it is not.
package jobdoc

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

// Format is the number of the document's format. It changes whenever a reader of the old one would misunderstand the new one.
const Format = 1

type document struct {
	Format int
	Graph  json.RawMessage
}

// Encode is the document of a graph.
func Encode(g *jobgraph.Graph) ([]byte, error) {
	text, err := json.Marshal(g)
	if err != nil {
		return nil, fmt.Errorf("job graph: %w", err)
	}
	return json.Marshal(document{Format, text})
}

// Decode reads a document. What it does not know it refuses, as the writer may have meant something by it; and what is no graph that
// could have been compiled.
func Decode(text []byte) (*jobgraph.Graph, error) {
	var d document
	if err := strictly(text, &d); err != nil {
		return nil, err
	}
	if d.Format != Format {
		return nil, fmt.Errorf("job graph: the document has format %d; this version of flott reads format %d", d.Format, Format)
	}
	g := new(jobgraph.Graph)
	if err := strictly(d.Graph, g); err != nil {
		return nil, err
	}
	return g, check(g)
}

// strictly reads text that is one value and nothing else.
func strictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("job graph: %w", err)
	}
	if d.More() {
		return fmt.Errorf("job graph: something follows the document, at byte %d", d.InputOffset())
	}
	return nil
}

// Fingerprint is the same for graphs of the same job, in whichever process they were made.
func Fingerprint(g *jobgraph.Graph) string {
	text, err := json.Marshal(common(g))
	if err != nil {
		panic(fmt.Sprintf("jobdoc: %v", err)) // a graph is plain data without what JSON lacks
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// common is the part of a graph that client and workers must agree about. The id is chosen by the client; how the job starts again
// after a failure is the JobManager's alone.
func common(g *jobgraph.Graph) *jobgraph.Graph {
	c := *g
	c.ID, c.Restart = id.Job{}, program.RestartStrategy{}
	return &c
}
