package golden

import (
	"encoding/json"
	"errors"
	"io/fs"
	"testing"

	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/id"
)

// tables is golden/tables.json: what the pure functions behind a plan give.
type tables struct {
	DefaultMaxParallelism [][2]int   `json:"defaultMaxParallelism"`
	MurmurHash            [][2]int32 `json:"murmurHash"`
	Keys                  []struct {
		Type           string `json:"type"`
		Value          string `json:"value"`
		HashCode       int32  `json:"hashCode"`
		MaxParallelism int    `json:"maxParallelism"`
		Parallelism    int    `json:"parallelism"`
		KeyGroup       int    `json:"keyGroup"`
		OperatorIndex  int    `json:"operatorIndex"`
	} `json:"keys"`
	KeyGroupRanges []struct {
		MaxParallelism int      `json:"maxParallelism"`
		Parallelism    int      `json:"parallelism"`
		Ranges         [][2]int `json:"ranges"`
	} `json:"keyGroupRanges"`
	Pointwise []struct {
		Sources  int      `json:"sources"`
		Targets  int      `json:"targets"`
		ByTarget [][4]int `json:"byTarget"`
	} `json:"pointwise"`
	UIDToOperatorID [][2]string `json:"uidToOperatorId"`
	DataSetIDs      [][3]any    `json:"dataSetIds"`
}

// TestGoldenTables checks the numbers behind plans.
func TestGoldenTables(t *testing.T) {
	data, err := fs.ReadFile(goldenFiles(t), "golden/tables.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Log("this folder has no tables")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var f tables
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	f.checkKeyGroups(t)
	f.checkPointwise(t)
	f.checkIDs(t)
}

func (f *tables) checkKeyGroups(t *testing.T) {
	for _, row := range f.DefaultMaxParallelism {
		if got := id.DefaultMaxParallelism(row[0]); got != row[1] {
			t.Errorf("default max parallelism of %d: golden %d, compiler %d", row[0], row[1], got)
		}
	}
	for _, row := range f.MurmurHash {
		if got := id.MurmurHash(row[0]); got != row[1] {
			t.Errorf("murmur hash of %d: golden %d, compiler %d", row[0], row[1], got)
		}
	}
	for _, k := range f.Keys {
		group := int(id.MurmurHash(k.HashCode)) % k.MaxParallelism
		subtask := id.KeyGroupsOf(k.MaxParallelism).Subtask(group, k.Parallelism)
		if group != k.KeyGroup || subtask != k.OperatorIndex {
			t.Errorf("%s %s of %d/%d: golden key group %d, subtask %d, compiler %d, %d",
				k.Type, k.Value, k.MaxParallelism, k.Parallelism, k.KeyGroup, k.OperatorIndex, group, subtask)
		}
		if k.Type == "String" && id.JavaHash(k.Value) != k.HashCode {
			t.Errorf("Java hash of %q: golden %d, compiler %d", k.Value, k.HashCode, id.JavaHash(k.Value))
		}
	}
	for _, r := range f.KeyGroupRanges {
		for i, want := range r.Ranges {
			got := id.KeyGroupsOf(r.MaxParallelism).Range(i, r.Parallelism)
			if got != (id.KeyGroupRange{First: want[0], Last: want[1]}) {
				t.Errorf("key groups of subtask %d of %d/%d: golden %v, compiler %v", i, r.MaxParallelism, r.Parallelism, want, got)
			}
		}
	}
}

func (f *tables) checkPointwise(t *testing.T) {
	for _, p := range f.Pointwise {
		w := execgraph.Wiring{Pattern: jobgraph.Pointwise, Producers: p.Sources, Consumers: p.Targets}
		for i, c := range consumerSections(w) {
			if c.Ranges[0] != p.ByTarget[i] {
				t.Errorf("consumer %d of %d -> %d: golden %v, compiler %v", i, p.Sources, p.Targets, p.ByTarget[i], c.Ranges[0])
			}
		}
	}
}

func (f *tables) checkIDs(t *testing.T) {
	for _, row := range f.UIDToOperatorID {
		if got := id.OperatorWithUID(row[0]).String(); got != row[1] {
			t.Errorf("operator id of uid %q: golden %s, compiler %s", row[0], row[1], got)
		}
	}
	for _, row := range f.DataSetIDs {
		vertex, err := id.ParseOperator(row[0].(string))
		if err != nil {
			t.Fatal(err)
		}
		if got := id.DataSetAt(vertex, int32(row[1].(float64))).String(); got != row[2] {
			t.Errorf("data set of %s at %v: golden %s, compiler %s", vertex, row[1], row[2], got)
		}
	}
}
