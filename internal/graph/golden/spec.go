// Package golden checks the compiler against Apache Flink. A spec is a program in JSON, neutral of language; a golden is what
// Flink 2.3 made of it. The package builds a spec's program (Spec.Program), compiles it through all stages and writes the result in
// the form of a golden (Compile), and finds the first difference between two (Difference).
//
// The archive in testdata holds the specs and their goldens; pack.go makes it. GOLDEN_DIR=DIR makes the test read a folder instead.
package golden

import (
	"encoding/json/v2"
	"fmt"
)

// A Spec is a program: calls of the DataStream API in order.
type Spec struct {
	Name  string      `json:"name"`
	Doc   string      `json:"doc"`
	Env   Environment `json:"env"`
	Steps []Step      `json:"steps"`
}

// Environment is the program's settings; what is nil has Flink's default.
type Environment struct {
	Parallelism                  *int        `json:"parallelism"`
	MaxParallelism               *int        `json:"maxParallelism"`
	RuntimeMode                  *string     `json:"runtimeMode"`
	Scheduler                    *string     `json:"scheduler"`
	AutoParallelism              *bool       `json:"autoParallelism"`
	Chaining                     *bool       `json:"chaining"`
	ChainDifferentMaxParallelism *bool       `json:"chainDifferentMaxParallelism"`
	BufferTimeoutMs              *int64      `json:"bufferTimeoutMs"`
	BatchShuffleMode             *string     `json:"batchShuffleMode"`
	CheckpointIntervalMs         *int64      `json:"checkpointIntervalMs"`
	Unaligned                    *bool       `json:"unaligned"`
	ApproximateLocalRecovery     *bool       `json:"approximateLocalRecovery"`
	OneSlotSharingGroup          *bool       `json:"allVerticesInSameSlotSharingGroupByDefault"`
	JobName                      *string     `json:"jobName"`
	VertexDescriptionMode        *string     `json:"vertexDescriptionMode"`
	VertexNameIndexPrefix        *bool       `json:"vertexNameIndexPrefix"`
	AutoGenerateUIDs             *bool       `json:"autoGenerateUids"`
	SortedInputs                 *bool       `json:"sortedInputs"`
	BatchStateBackend            *bool       `json:"batchStateBackend"`
	SlotSharingGroups            []SlotGroup `json:"slotSharingGroups"`
}

// SlotGroup is a slot sharing group with resources.
type SlotGroup struct {
	Name      string   `json:"name"`
	CPU       *float64 `json:"cpu"`
	HeapMB    *int     `json:"heapMb"`
	ManagedMB *int     `json:"managedMb"`
}

// A Step is one call. Fields that its op does not know are ignored.
type Step struct {
	ID     string   `json:"id"`
	Op     string   `json:"op"`
	Inputs []string `json:"inputs"`
	Type   string   `json:"type"`
	Properties

	SourceName  *string `json:"sourceName"`
	Boundedness string  `json:"boundedness"`
	Parallel    bool    `json:"parallel"`

	OperatorName    *string `json:"operatorName"`
	Strategy        string  `json:"strategy"`
	Yielding        bool    `json:"yielding"`
	EndOutputOnly   bool    `json:"outputOnlyAfterEndOfStream"`
	InputSelectable bool    `json:"inputSelectable"`
	Mode            string  `json:"mode"`

	Assigner          *Assigner `json:"assigner"`
	Fn                string    `json:"fn"`
	Size              *int64    `json:"size"`
	Slide             *int64    `json:"slide"`
	CountTrigger      *int64    `json:"countTrigger"`
	CountEvictor      *int64    `json:"countEvictor"`
	AllowedLatenessMs *int64    `json:"allowedLatenessMs"`
	LateTag           *string   `json:"lateTag"`

	Tag           *string `json:"tag"`
	AlreadyCached bool    `json:"alreadyCached"`

	Committer  bool      `json:"committer"`
	Concurrent bool      `json:"concurrent"`
	PreWrite   []SubStep `json:"preWrite"`
	PreCommit  []SubStep `json:"preCommit"`
	PostCommit []SubStep `json:"postCommit"`
}

// A SubStep is a step of a sink's topology.
type SubStep struct {
	Op string `json:"op"`
	Properties
}

// Properties are the settings of an operator.
type Properties struct {
	Parallelism      *int    `json:"parallelism"`
	MaxParallelism   *int    `json:"maxParallelism"`
	ForceNonParallel bool    `json:"forceNonParallel"`
	Name             *string `json:"name"`
	Description      *string `json:"description"`
	UID              *string `json:"uid"`
	UIDHash          *string `json:"uidHash"`
	SlotSharingGroup *string `json:"slotSharingGroup"`
	CoLocation       *string `json:"coLocation"`
	BufferTimeoutMs  *int64  `json:"bufferTimeoutMs"`
	Chaining         *string `json:"chaining"`
}

// Assigner puts records into windows.
type Assigner struct {
	Type    string `json:"type"`
	SizeMs  *int64 `json:"sizeMs"`
	SlideMs *int64 `json:"slideMs"`
}

// Parse reads a spec. Keys that no spec has are an error, and so are words where a word is expected that it does not know.
func Parse(data []byte) (*Spec, error) {
	s := new(Spec)
	if err := json.Unmarshal(data, s, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("golden: %w", err)
	}
	return s, nil
}
