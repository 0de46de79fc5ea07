package id_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/flott-dev/flott/internal/id"
)

// tables is what Flink's own classes answered.
type tables struct {
	DefaultMaxParallelism [][2]int
	MurmurHash            [][2]int32
	Keys                  []struct {
		Type, Value                                          string
		HashCode                                             int32
		MaxParallelism, Parallelism, KeyGroup, OperatorIndex int
	}
	KeyGroupRanges []struct {
		MaxParallelism, Parallelism int
		Ranges                      [][2]int
	}
	UIDToOperatorID [][2]string
	DataSetIDs      [][3]any
}

func flinkTables(t *testing.T) (f tables) {
	data, err := os.ReadFile("testdata/tables.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestDefaultMaxParallelismIsFlinks(t *testing.T) {
	for _, row := range flinkTables(t).DefaultMaxParallelism {
		if got := id.DefaultMaxParallelism(row[0]); got != row[1] {
			t.Errorf("DefaultMaxParallelism(%d) = %d, want %d", row[0], got, row[1])
		}
	}
}

func TestMurmurHashIsFlinks(t *testing.T) {
	for _, row := range flinkTables(t).MurmurHash {
		if got := id.MurmurHash(row[0]); got != row[1] {
			t.Errorf("MurmurHash(%d) = %d, want %d", row[0], got, row[1])
		}
	}
}

func TestKeyGroupsAreFlinks(t *testing.T) {
	for _, k := range flinkTables(t).Keys {
		if k.Type == "String" && id.JavaHash(k.Value) != k.HashCode {
			t.Errorf("JavaHash(%q) = %d, want %d", k.Value, id.JavaHash(k.Value), k.HashCode)
		}
		groups := id.KeyGroupsOf(k.MaxParallelism)
		if got := groups.Of(uint64(uint32(k.HashCode))); got != k.KeyGroup {
			t.Errorf("key group of %s %s in %d = %d, want %d", k.Type, k.Value, k.MaxParallelism, got, k.KeyGroup)
		}
		if got := groups.Subtask(k.KeyGroup, k.Parallelism); got != k.OperatorIndex {
			t.Errorf("subtask of %d in %d/%d = %d, want %d", k.KeyGroup, k.MaxParallelism, k.Parallelism, got, k.OperatorIndex)
		}
	}
}

func TestKeyGroupRangesAreFlinks(t *testing.T) {
	for _, r := range flinkTables(t).KeyGroupRanges {
		for i, want := range r.Ranges {
			if got := id.KeyGroupsOf(r.MaxParallelism).Range(i, r.Parallelism); got != (id.KeyGroupRange{First: want[0], Last: want[1]}) {
				t.Errorf("range %d of %d/%d = %v, want %v", i, r.MaxParallelism, r.Parallelism, got, want)
			}
		}
	}
}

func TestOperatorIDsOfUIDsAreFlinks(t *testing.T) {
	for _, row := range flinkTables(t).UIDToOperatorID {
		if got := id.OperatorWithUID(row[0]).String(); got != row[1] {
			t.Errorf("OperatorWithUID(%q) = %s, want %s", row[0], got, row[1])
		}
	}
}

func TestDataSetIDsAreFlinks(t *testing.T) {
	for _, row := range flinkTables(t).DataSetIDs {
		vertex, err := id.ParseOperator(row[0].(string))
		if err != nil {
			t.Fatal(err)
		}
		if got := id.DataSetAt(vertex, int32(row[1].(float64))).String(); got != row[2] {
			t.Errorf("DataSetAt(%s, %v) = %s, want %s", vertex, row[1], got, row[2])
		}
	}
}

func TestOperatorIDsWithoutUIDDependOnPlace(t *testing.T) {
	a := id.OperatorAt(0, 0, nil)
	for name, other := range map[string]id.Operator{
		"another place":    id.OperatorAt(1, 0, nil),
		"a chained output": id.OperatorAt(0, 1, nil),
		"an input":         id.OperatorAt(0, 0, []id.Operator{a}),
	} {
		if other == a {
			t.Errorf("%s does not change the id", name)
		}
	}
	if once, twice := id.OperatorAt(0, 0, []id.Operator{a}), id.OperatorAt(0, 0, []id.Operator{a, a}); once == twice {
		t.Error("an input that occurs twice counts once")
	}
}

func TestParseRefusesWhatIsNoID(t *testing.T) {
	for _, s := range []string{"", "00", "zz112233445566778899aabbccddeeff", "00112233445566778899aabbccddeeff00"} {
		if o, err := id.ParseOperator(s); err == nil {
			t.Errorf("ParseOperator(%q) = %s", s, o)
		}
		if d, err := id.ParseDataSet(s); err == nil {
			t.Errorf("ParseDataSet(%q) = %s", s, d)
		}
	}
	if o, err := id.ParseOperator("00112233445566778899AABBCCDDEEFF"); err != nil || o.String() != "00112233445566778899aabbccddeeff" {
		t.Errorf("upper case: %s, %v", o, err)
	}
}
