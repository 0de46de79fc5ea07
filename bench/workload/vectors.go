package workload

import (
	_ "embed"
	"encoding/json"
)

//go:embed bench-expected.json
var vectors []byte

// A Vector is a run with its known result, as real Flink 2.3 and an independent program gave it.
type Vector struct {
	Name    string `json:"name"`
	Records int64  `json:"records"`
	Options
	Out int64 `json:"out"`
	Sum int64 `json:"sum"`
}

// Vectors is all known results; some are of workloads that come later.
func Vectors() (all []Vector, err error) {
	err = json.Unmarshal(vectors, &all)
	return all, err
}
