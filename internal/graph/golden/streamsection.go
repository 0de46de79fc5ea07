package golden

import (
	"slices"
	"strconv"

	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

// streamSection is section streamGraph of a golden.
type streamSection struct {
	JobName              string                     `json:"jobName"`
	JobType              streamgraph.JobType        `json:"jobType"`
	Dynamic              bool                       `json:"dynamic"`
	GlobalExchangeMode   streamgraph.GlobalExchange `json:"globalExchangeMode"`
	OneSlotSharingGroup  bool                       `json:"allVerticesInSameSlotSharingGroupByDefault"`
	AutoParallelism      bool                       `json:"autoParallelismEnabled"`
	Chaining             bool                       `json:"chainingEnabled"`
	CheckpointInterval   int64                      `json:"checkpointInterval"`
	CheckpointingEnabled bool                       `json:"checkpointingEnabled"`
	Nodes                []nodeSection              `json:"nodes"`
	VirtualSides         []virtualSideSection       `json:"virtualSideOutputNodes"`
	VirtualPartitions    []virtualPartitionSection  `json:"virtualPartitionNodes"`
	Plan                 string                     `json:"streamingPlanJson"`
	HashError            *string                    `json:"hashError,omitzero"`
}

type virtualSideSection struct {
	ID       int    `json:"id"`
	Original int    `json:"originalId"`
	Tag      string `json:"outputTag"`
}

type virtualPartitionSection struct {
	ID          int              `json:"id"`
	Original    int              `json:"originalId"`
	Partitioner program.Strategy `json:"partitioner"`
	Exchange    program.Exchange `json:"exchangeMode"`
}

type nodeSection struct {
	ID                    int                                `json:"id"`
	Name                  string                             `json:"name"`
	Description           string                             `json:"description"`
	Parallelism           int                                `json:"parallelism"`
	ParallelismConfigured bool                               `json:"parallelismConfigured"`
	MaxParallelism        int                                `json:"maxParallelism"`
	SlotSharingGroup      string                             `json:"slotSharingGroup"`
	CoLocation            *string                            `json:"coLocationGroup"`
	Chaining              program.Chaining                   `json:"chainingStrategy"`
	BufferTimeoutMs       int64                              `json:"bufferTimeoutMs"`
	UID                   *string                            `json:"uid"`
	UserHash              *string                            `json:"userHash"`
	Hash                  *string                            `json:"hash"`
	Task                  streamgraph.TaskClass              `json:"jobVertexClass"`
	LegacySource          bool                               `json:"isLegacySource"`
	NewSource             bool                               `json:"isSourceOperator"`
	Yielding              bool                               `json:"isYielding"`
	Source                bool                               `json:"isSource"`
	Sink                  bool                               `json:"isSink"`
	InputRequirements     map[string]streamgraph.Requirement `json:"inputRequirements"`
	OperatorWeights       map[program.MemoryUse]int          `json:"managedMemoryOperatorWeights"`
	SlotUses              []program.MemoryUse                `json:"managedMemorySlotUseCases"`
	EndOutputOnly         bool                               `json:"outputOnlyAfterEndOfStream"`
	ConcurrentAttempts    bool                               `json:"supportsConcurrentExecutionAttempts"`
	ConsumeClusterData    *string                            `json:"consumeClusterDatasetId"`
	In                    []edgeSection                      `json:"inEdges"`
	Out                   []string                           `json:"outEdges"`
}

type edgeSection struct {
	Source           int              `json:"source"`
	Target           int              `json:"target"`
	TypeNumber       int              `json:"typeNumber"`
	Partitioner      program.Strategy `json:"partitioner"`
	PartitionerClass string           `json:"partitionerClass"`
	PartitionerGroup *int             `json:"partitionerGroup"`
	Exchange         program.Exchange `json:"exchangeMode"`
	Tag              *string          `json:"outputTag"`
	BufferTimeoutMs  int64            `json:"bufferTimeoutMs"`
	ID               string           `json:"edgeId"`
	IDHash           int32            `json:"edgeIdHash"`
	Unaligned        bool             `json:"supportsUnalignedCheckpoints"`
	DataSetToKeep    *string          `json:"datasetIdToProduce"`
	Inter            bool             `json:"interInputsKeysCorrelated"`
	Intra            bool             `json:"intraInputKeyCorrelated"`
}

func streamSectionOf(g *streamgraph.Graph) *streamSection {
	s := &streamSection{
		JobName:              g.JobName,
		JobType:              g.JobType,
		Dynamic:              g.Dynamic,
		GlobalExchangeMode:   g.Exchanges,
		OneSlotSharingGroup:  g.OneSlotSharingGroup,
		AutoParallelism:      g.AutoParallelism,
		Chaining:             g.Chaining,
		CheckpointInterval:   g.Checkpointing.IntervalMs,
		CheckpointingEnabled: g.Checkpointing.Enabled(),
		VirtualSides: mapped(g.VirtualSides, func(v streamgraph.VirtualSide) virtualSideSection {
			return virtualSideSection{v.ID, v.Original, v.Tag.Name}
		}),
		VirtualPartitions: mapped(g.VirtualPartitions, func(v streamgraph.VirtualPartition) virtualPartitionSection {
			return virtualPartitionSection{v.ID, v.Original, v.Strategy, v.Exchange}
		}),
		Plan: g.JSON(),
	}
	ids, err := jobgraph.ChainingOf(g).OperatorIDs()
	if err != nil {
		s.HashError = new(err.Error())
		ids = nil
	}
	groups := partitionerGroups{}
	for _, n := range g.Nodes {
		s.Nodes = append(s.Nodes, nodeSectionOf(n, ids, groups))
	}
	return s
}

func nodeSectionOf(n *streamgraph.Node, ids []id.Operator, groups partitionerGroups) nodeSection {
	s := nodeSection{
		ID:                    n.ID,
		Name:                  n.Name,
		Description:           n.Description,
		Parallelism:           n.Parallelism,
		ParallelismConfigured: n.ParallelismConfigured,
		MaxParallelism:        n.MaxParallelism,
		SlotSharingGroup:      n.SlotSharingGroup,
		CoLocation:            some(n.CoLocation, n.HasCoLocation),
		Chaining:              n.Chaining,
		BufferTimeoutMs:       n.BufferTimeoutMs,
		UID:                   some(n.UID, n.HasUID),
		UserHash:              some(n.UserHash, n.UserHash != ""),
		Task:                  n.Task,
		LegacySource:          n.LegacySource,
		NewSource:             n.NewSource,
		Yielding:              n.Yielding,
		Source:                n.Source,
		Sink:                  n.LegacySink,
		InputRequirements:     make(map[string]streamgraph.Requirement),
		OperatorWeights:       n.OperatorWeights,
		EndOutputOnly:         n.EndOutputOnly,
		ConcurrentAttempts:    n.ConcurrentAttempts,
		ConsumeClusterData:    some(n.ConsumeClusterData, n.ConsumeClusterData != ""),
		Out:                   mapped(n.Out, func(e *streamgraph.Edge) string { return e.ID }),
	}
	if ids != nil {
		s.Hash = new(ids[n.ID].String())
	}
	for input, r := range n.InputRequirements {
		s.InputRequirements[strconv.Itoa(input)] = r
	}
	for use := range n.SlotUses {
		s.SlotUses = append(s.SlotUses, use)
	}
	slices.Sort(s.SlotUses)
	for _, e := range n.In {
		s.In = append(s.In, edgeSectionOf(e, groups))
	}
	return s
}

func edgeSectionOf(e *streamgraph.Edge, groups partitionerGroups) edgeSection {
	s := edgeSection{
		Source:           e.Source.ID,
		Target:           e.Target.ID,
		TypeNumber:       e.TypeNumber,
		Partitioner:      e.Partitioner.Strategy,
		PartitionerClass: partitionerClass(e.Partitioner),
		PartitionerGroup: groups.of(e.Partitioner),
		Exchange:         e.Exchange,
		BufferTimeoutMs:  e.BufferTimeoutMs,
		ID:               e.ID,
		IDHash:           id.JavaHash(e.ID),
		Unaligned:        e.Unaligned,
		DataSetToKeep:    some(e.DataSetToKeep, e.DataSetToKeep != ""),
		Inter:            e.InterInputsKeysCorrelated,
		Intra:            e.IntraInputKeyCorrelated,
	}
	if e.Tag != nil {
		s.Tag = &e.Tag.Name
	}
	return s
}

// partitionerGroups numbers hash and custom partitioners by first appearance; equal ones have one number.
type partitionerGroups map[any]int

func (g partitionerGroups) of(p streamgraph.Partitioner) *int {
	if p.Object == nil {
		return nil
	}
	n, ok := g[p.Object]
	if !ok {
		n = len(g)
		g[p.Object] = n
	}
	return &n
}

func partitionerClass(p streamgraph.Partitioner) string {
	if p.Unspecified {
		return "ForwardForUnspecifiedPartitioner"
	}
	return partitionerClasses[p.Strategy]
}

var partitionerClasses = map[program.Strategy]string{
	program.Forward:   "ForwardPartitioner",
	program.Rebalance: "RebalancePartitioner",
	program.Shuffle:   "ShufflePartitioner",
	program.Rescale:   "RescalePartitioner",
	program.Broadcast: "BroadcastPartitioner",
	program.Global:    "GlobalPartitioner",
	program.Hash:      "KeyGroupStreamPartitioner",
	program.Custom:    "CustomPartitionerWrapper",
}
