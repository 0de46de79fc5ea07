package golden

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

// jobSection is section jobGraph of a golden.
type jobSection struct {
	ID                       string              `json:"jobId"`
	Name                     string              `json:"name"`
	Type                     streamgraph.JobType `json:"jobType"`
	Dynamic                  bool                `json:"dynamic"`
	MaximumParallelism       int                 `json:"maximumParallelism"`
	ApproximateLocalRecovery bool                `json:"approximateLocalRecovery"`
	Checkpointing            checkpointSection   `json:"checkpointing"`
	Vertices                 []vertexSection     `json:"vertices"`
	Created                  []string            `json:"vertexCreationOrder"`
	SlotSharingGroups        []slotGroupSection  `json:"slotSharingGroups"`
	CoLocationGroups         []coLocationSection `json:"coLocationGroups"`
	Regions                  [][]string          `json:"logicalPipelinedRegions"`
	Slots                    int                 `json:"slotsBySharingGroups"`
	Plan                     string              `json:"jsonPlan"`
}

type checkpointSection struct {
	Interval      int64 `json:"interval"`
	ExactlyOnce   bool  `json:"exactlyOnce"`
	Unaligned     bool  `json:"unaligned"`
	Timeout       int64 `json:"timeout"`
	MinPause      int64 `json:"minPause"`
	MaxConcurrent int   `json:"maxConcurrent"`
}

type slotGroupSection struct {
	Index                int      `json:"index"`
	Name                 string   `json:"name"`
	Vertices             []string `json:"vertices"`
	Resources            string   `json:"resourceProfile"`
	MaxVertexParallelism int      `json:"maxVertexParallelism"`
}

type coLocationSection struct {
	Index    int      `json:"index"`
	Vertices []string `json:"verticesInOrder"`
}

type vertexSection struct {
	ID                    string            `json:"id"`
	Name                  string            `json:"name"`
	PrettyName            string            `json:"prettyName"`
	OperatorName          *string           `json:"operatorName"`
	OperatorDescription   *string           `json:"operatorDescription"`
	Parallelism           int               `json:"parallelism"`
	ParallelismConfigured bool              `json:"parallelismConfigured"`
	MaxParallelism        int               `json:"maxParallelism"`
	Invokable             string            `json:"invokable"`
	Class                 string            `json:"vertexClass"`
	OperatorIDs           []operatorIDs     `json:"operatorIds"`
	Inputs                []inputSection    `json:"inputs"`
	Produced              []dataSetSection  `json:"producedDataSets"`
	Chain                 []operatorSection `json:"chain"`
	Outputs               []string          `json:"vertexNonChainedOutputs"`
	PhysicalEdges         []string          `json:"inPhysicalEdges"`
	SlotSharingGroup      int               `json:"slotSharingGroup"`
	CoLocationGroup       *int              `json:"coLocationGroup"`
	Coordinators          int               `json:"operatorCoordinators"`
	AnyOutputBlocking     bool              `json:"anyOutputBlocking"`
	ConcurrentAttempts    bool              `json:"supportsConcurrentExecutionAttempts"`
	NetworkInputs         int               `json:"numberOfNetworkInputs"`
}

type operatorIDs struct {
	Generated   string  `json:"generated"`
	UserDefined *string `json:"userDefined"`
	Name        string  `json:"name"`
	UID         *string `json:"uid"`
}

type inputSection struct {
	DataSet          string               `json:"dataSetId"`
	SourceVertex     string               `json:"sourceVertex"`
	ShipStrategy     program.Strategy     `json:"shipStrategy"`
	Pattern          jobgraph.Pattern     `json:"distributionPattern"`
	Broadcast        bool                 `json:"isBroadcast"`
	Forward          bool                 `json:"isForward"`
	TypeNumber       int                  `json:"typeNumber"`
	PreProcessing    *string              `json:"preProcessing"`
	Caching          *string              `json:"caching"`
	Inter            bool                 `json:"interInputsKeysCorrelated"`
	Intra            bool                 `json:"intraInputKeyCorrelated"`
	DownstreamMapper jobgraph.StateMapper `json:"downstreamStateMapper"`
	UpstreamMapper   jobgraph.StateMapper `json:"upstreamStateMapper"`
}

type dataSetSection struct {
	ID        string              `json:"id"`
	Result    jobgraph.ResultType `json:"resultType"`
	Consumers []string            `json:"consumers"`
	Broadcast bool                `json:"isBroadcast"`
	Forward   bool                `json:"isForward"`
	Pattern   jobgraph.Pattern    `json:"distributionPattern"`
}

type operatorSection struct {
	Node             int                           `json:"nodeId"`
	ID               string                        `json:"operatorId"`
	Name             string                        `json:"operatorName"`
	ChainIndex       int                           `json:"chainIndex"`
	ChainStart       bool                          `json:"chainStart"`
	ChainEnd         bool                          `json:"chainEnd"`
	Inputs           []*operatorInputSection       `json:"inputs"`
	Chained          []string                      `json:"chainedOutputs"`
	Outputs          []outputSection               `json:"nonChainedOutputs"`
	OutputCount      int                           `json:"numberOfOutputs"`
	MemoryFractions  map[program.MemoryUse]float64 `json:"managedMemoryFractions"`
	NoOutputUntilEnd *bool                         `json:"noOutputUntilEndOfInput"`
}

type operatorInputSection struct {
	Kind        jobgraph.InputKind      `json:"kind"`
	Gate        *int                    `json:"gate,omitzero"`
	Requirement streamgraph.Requirement `json:"requirement,omitzero"`
	Edge        string                  `json:"edgeId,omitzero"`
}

type outputSection struct {
	DataSet                string              `json:"dataSetId"`
	Partitioner            program.Strategy    `json:"partitioner"`
	PartitionerClass       string              `json:"partitionerClass"`
	Result                 jobgraph.ResultType `json:"resultType"`
	ConsumerParallelism    int                 `json:"consumerParallelism"`
	ConsumerMaxParallelism int                 `json:"consumerMaxParallelism"`
	BufferTimeoutMs        int64               `json:"bufferTimeoutMs"`
	Tag                    *string             `json:"outputTag"`
	Unaligned              bool                `json:"supportsUnalignedCheckpoints"`
	SourceNode             int                 `json:"sourceNodeId"`
	Persistent             *string             `json:"persistentDataSetId"`
}

func jobSectionOf(g *jobgraph.Graph) *jobSection {
	s := &jobSection{
		ID:                       g.ID.String(),
		Name:                     g.Name,
		Type:                     g.Type,
		Dynamic:                  g.Dynamic,
		MaximumParallelism:       g.MaximumParallelism(),
		ApproximateLocalRecovery: g.ApproximateLocalRecovery,
		Checkpointing: checkpointSection{
			Interval:      g.Checkpointing.IntervalMs,
			ExactlyOnce:   g.Checkpointing.ExactlyOnce,
			Unaligned:     g.Checkpointing.Unaligned,
			Timeout:       g.Checkpointing.TimeoutMs,
			MinPause:      g.Checkpointing.MinPauseMs,
			MaxConcurrent: g.Checkpointing.MaxConcurrent,
		},
		Created: vertexIDs(g, g.Created),
		Regions: mapped(g.Regions(), func(region []int) []string { return vertexIDs(g, region) }),
		Slots:   g.Slots(),
		Plan:    g.JSON(),
	}
	for i := range g.Vertices {
		s.Vertices = append(s.Vertices, vertexSectionOf(g, i))
	}
	s.SlotSharingGroups = slotGroupSections(g)
	s.CoLocationGroups = make([]coLocationSection, len(g.CoLocationGroups))
	for i, c := range g.CoLocationGroups {
		s.CoLocationGroups[i] = coLocationSection{i, vertexIDs(g, c.Vertices)}
	}
	return s
}

func vertexIDs(g *jobgraph.Graph, vertices []int) []string {
	return mapped(vertices, func(v int) string { return g.Vertices[v].ID.String() })
}

func slotGroupSections(g *jobgraph.Graph) []slotGroupSection {
	groups := make([]slotGroupSection, len(g.SlotSharingGroups))
	for i := range groups {
		group := &g.SlotSharingGroups[i]
		groups[i] = slotGroupSection{
			Index:                i,
			Name:                 group.Name,
			Vertices:             vertexIDs(g, group.Vertices),
			Resources:            resourceProfile(group.Resources),
			MaxVertexParallelism: group.MaxVertexParallelism(g),
		}
	}
	return groups
}

func vertexSectionOf(g *jobgraph.Graph, i int) vertexSection {
	v := &g.Vertices[i]
	s := vertexSection{
		ID:                    v.ID.String(),
		Name:                  v.Name,
		PrettyName:            g.Description(i),
		Parallelism:           v.Parallelism,
		ParallelismConfigured: v.ParallelismConfigured,
		MaxParallelism:        v.MaxParallelism,
		Invokable:             "org.apache.flink.streaming.runtime.tasks." + string(v.Task),
		Class:                 "JobVertex",
		OperatorIDs:           mapped(v.Listed, func(k int) operatorIDs { return operatorIDsOf(&v.Chain[k]) }),
		Inputs:                mapped(v.Inputs, func(in jobgraph.Input) inputSection { return inputSectionOf(g, in) }),
		Produced:              mapped(v.Produces, func(d jobgraph.DataSet) dataSetSection { return dataSetSectionOf(g, d) }),
		Chain:                 mapped(v.Chain, func(o jobgraph.Operator) operatorSection { return operatorSectionOf(v, o) }),
		Outputs:               mapped(v.Produces, func(d jobgraph.DataSet) string { return d.ID.String() }),
		PhysicalEdges:         mapped(v.Inputs, func(in jobgraph.Input) string { return in.Edge }),
		SlotSharingGroup:      v.SlotSharingGroup,
		CoLocationGroup:       some(v.CoLocationGroup, v.CoLocationGroup >= 0),
		Coordinators:          v.Coordinators,
		ConcurrentAttempts:    v.ConcurrentAttempts,
		NetworkInputs:         len(v.Inputs),
	}
	if v.Chain[v.Head()].Cached != (id.DataSet{}) {
		s.NetworkInputs = 1 // what an earlier job produced comes over the network, too
	}
	for _, d := range v.Produces {
		s.AnyOutputBlocking = s.AnyOutputBlocking || d.Result.Blocking()
	}
	return s
}

func operatorIDsOf(o *jobgraph.Operator) operatorIDs {
	return operatorIDs{
		Generated:   o.ID.String(),
		UserDefined: some(o.UserHash, o.UserHash != ""),
		Name:        o.Name,
		UID:         some(o.UID, o.HasUID),
	}
}

func inputSectionOf(g *jobgraph.Graph, in jobgraph.Input) inputSection {
	producer := &g.Vertices[in.Producer]
	downstream, upstream := in.StateMappers()
	return inputSection{
		DataSet:          producer.Produces[in.DataSet].ID.String(),
		SourceVertex:     producer.ID.String(),
		ShipStrategy:     in.Partitioner,
		Pattern:          in.Pattern(),
		Broadcast:        in.Partitioner == program.Broadcast,
		Forward:          in.Partitioner == program.Forward,
		TypeNumber:       in.TypeNumber,
		Inter:            in.InterInputsKeysCorrelated,
		Intra:            in.IntraInputKeyCorrelated,
		DownstreamMapper: downstream,
		UpstreamMapper:   upstream,
	}
}

func dataSetSectionOf(g *jobgraph.Graph, d jobgraph.DataSet) dataSetSection {
	return dataSetSection{
		ID:        d.ID.String(),
		Result:    d.Result,
		Consumers: mapped(d.Consumers, func(c jobgraph.Consumer) string { return g.Vertices[c.Vertex].ID.String() }),
		Broadcast: d.Partitioner == program.Broadcast,
		Forward:   d.Partitioner == program.Forward,
		Pattern:   d.Pattern(),
	}
}

func operatorSectionOf(v *jobgraph.Vertex, o jobgraph.Operator) operatorSection {
	return operatorSection{
		Node:             o.Node,
		ID:               o.ID.String(),
		Name:             o.Name,
		ChainIndex:       o.ChainIndex,
		ChainStart:       o.Head(),
		ChainEnd:         len(o.Chained) == 0 && !o.ChainedSource(),
		Inputs:           mapped(o.Inputs, operatorInputSectionOf),
		Chained:          mapped(o.Chained, func(c jobgraph.ChainedOutput) string { return c.Edge }),
		Outputs:          mapped(o.Outputs, func(k int) outputSection { return outputSectionOf(o, &v.Produces[k]) }),
		OutputCount:      len(o.Outputs),
		MemoryFractions:  o.MemoryFractions,
		NoOutputUntilEnd: some(o.NoOutputUntilEnd, !o.ChainedSource()),
	}
}

func operatorInputSectionOf(in jobgraph.OperatorInput) *operatorInputSection {
	switch in.Kind {
	case jobgraph.Network:
		return &operatorInputSection{Kind: in.Kind, Gate: &in.Gate, Requirement: in.Requirement}
	case jobgraph.ChainedInput:
		return &operatorInputSection{Kind: in.Kind, Edge: in.Edge}
	}
	return nil
}

func outputSectionOf(o jobgraph.Operator, d *jobgraph.DataSet) outputSection {
	return outputSection{
		DataSet:                d.ID.String(),
		Partitioner:            d.Partitioner,
		PartitionerClass:       partitionerClasses[d.Partitioner],
		Result:                 d.Result,
		ConsumerParallelism:    d.ConsumerParallelism,
		ConsumerMaxParallelism: d.ConsumerMaxParallelism,
		BufferTimeoutMs:        d.BufferTimeoutMs,
		Tag:                    some(d.Tag, d.Tag != ""),
		Unaligned:              d.Unaligned,
		SourceNode:             o.Node,
		Persistent:             some(d.ID.String(), d.Result == jobgraph.BlockingPersistent),
	}
}

// resourceProfile is Flink's text of what a slot sharing group asks for.
func resourceProfile(r *program.Resources) string {
	if r == nil {
		return "ResourceProfile{UNKNOWN}"
	}
	return fmt.Sprintf("ResourceProfile{cpuCores=%s, taskHeapMemory=%s, taskOffHeapMemory=0 bytes, managedMemory=%s, networkMemory=0 bytes}",
		decimal(r.CPU), memorySize(r.HeapMB), memorySize(r.ManagedMB))
}

// decimal is Java's BigDecimal without trailing zeros: 1.5, and 1E+2 for 100.
func decimal(x float64) string {
	digits := strconv.FormatFloat(x, 'f', -1, 64)
	stripped := strings.TrimRight(digits, "0")
	if strings.Contains(digits, ".") || stripped == digits {
		return digits
	}
	exponent := len(digits) - len(stripped)
	if len(stripped) > 1 { // one digit before the point
		exponent += len(stripped) - 1
		stripped = stripped[:1] + "." + stripped[1:]
	}
	return fmt.Sprintf("%sE+%d", stripped, exponent)
}

// memorySize has the largest unit of which there is more than one, and the bytes behind it.
func memorySize(mb int) string {
	bytes := int64(mb) << 20
	switch {
	case mb == 0:
		return "0 bytes"
	case bytes > 1<<40:
		return fmt.Sprintf("%.3ftb (%d bytes)", float64(bytes)/(1<<40), bytes)
	case bytes > 1<<30:
		return fmt.Sprintf("%.3fgb (%d bytes)", float64(bytes)/(1<<30), bytes)
	case bytes > 1<<20:
		return fmt.Sprintf("%.3fmb (%d bytes)", float64(bytes)/(1<<20), bytes)
	}
	return fmt.Sprintf("%.3fkb (%d bytes)", float64(bytes)/(1<<10), bytes)
}
