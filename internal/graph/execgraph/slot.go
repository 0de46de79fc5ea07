package execgraph

// A Slot is subtasks that share a slot, at most one of each vertex.
type Slot struct {
	Group    int       // slot sharing group of the job graph
	Subtasks []Subtask // in the order of vertices
}

// Slots deals the subtasks out to as many slots as they need, close to their inputs, as Flink does by default. Vertices are served
// in order, each in two rounds: first the subtasks that have a wish (the slot of a subtask that they are co-located with, or one
// of a producer), then the others, which get the oldest slot of their group that has room, or else a new one.
func (g *Graph) Slots() []Slot {
	d := dealer{
		g:       g,
		of:      make([][]int, len(g.Vertices)),
		groups:  make([][]int, len(g.Job.SlotSharingGroups)),
		located: make([][]int, len(g.Job.CoLocationGroups)),
	}
	for v := range g.Vertices {
		d.serve(v)
	}
	return d.slots
}

// A dealer is the slots so far.
type dealer struct {
	g       *Graph
	slots   []Slot
	last    []int   // by slot: the last vertex that has a subtask in it
	of      [][]int // by vertex, by subtask: its slot
	groups  [][]int // by slot sharing group: its slots
	located [][]int // by co-location group, by subtask: its slot
}

const none = -1

// serve gives every subtask of a vertex a slot.
func (d *dealer) serve(v int) {
	of := make([]int, d.g.Vertices[v].Parallelism)
	c := newCandidates(&d.g.Vertices[v])
	for i := range of {
		of[i] = d.wish(v, i, c)
		d.take(v, of[i])
	}
	oldest := 0
	for i, s := range of {
		if s == none {
			of[i], oldest = d.room(v, oldest)
			d.take(v, of[i])
		}
	}
	for i, s := range of {
		d.slots[s].Subtasks = append(d.slots[s].Subtasks, Subtask{v, i})
	}
	d.of[v] = of
	d.locate(v)
}

func (d *dealer) take(v, slot int) {
	if slot != none {
		d.last[slot] = v
	}
}

// wish is the slot that subtask i would like and can have; none: it has no wish.
func (d *dealer) wish(v, i int, c candidates) int {
	job := d.g.Vertices[v].Job
	if l := job.CoLocationGroup; l >= 0 && i < len(d.located[l]) {
		return d.located[l][i]
	}
	for k := range job.Inputs {
		p := job.Inputs[k].Producer
		if d.g.Vertices[p].Job.SlotSharingGroup != job.SlotSharingGroup {
			continue
		}
		for q := range c.of(k, i) {
			if s := d.of[p][q]; d.last[s] != v {
				return s
			}
		}
	}
	return none
}

// room is the oldest slot of v's group without a subtask of v, counted from the oldest one that may be. The second result is
// where to look next.
func (d *dealer) room(v, oldest int) (slot, next int) {
	g := d.g.Vertices[v].Job.SlotSharingGroup
	for i, s := range d.groups[g][oldest:] {
		if d.last[s] != v {
			return s, oldest + i + 1
		}
	}
	s := len(d.slots)
	d.slots = append(d.slots, Slot{Group: g})
	d.last = append(d.last, none)
	d.groups[g] = append(d.groups[g], s)
	return s, len(d.groups[g])
}

// locate notes where v's subtasks are, for vertices that are to be beside it.
func (d *dealer) locate(v int) {
	l := d.g.Vertices[v].Job.CoLocationGroup
	if l < 0 {
		return
	}
	if more := len(d.of[v]) - len(d.located[l]); more > 0 {
		d.located[l] = append(d.located[l], make([]int, more)...)
	}
	copy(d.located[l], d.of[v])
}

// candidates is which producers still have to be asked for their slots. The consumers of a group ask in turn: what one has seen,
// taken or not, no other looks at again.
type candidates struct {
	inputs []Wiring
	asked  [][]int // by input, by group: how many producers
}

func newCandidates(v *Vertex) candidates {
	c := candidates{v.Inputs, make([][]int, len(v.Inputs))}
	for k, w := range v.Inputs {
		c.asked[k] = make([]int, w.Groups())
	}
	return c
}

// of goes through the producers of input k that consumer i may ask.
func (c candidates) of(k, i int) func(yield func(q int) bool) {
	group := c.inputs[k].GroupOfConsumer(i)
	partitions := c.inputs[k].Group(group).Partitions
	asked := &c.asked[k][group]
	return func(yield func(int) bool) {
		for *asked < partitions.Len() {
			q := partitions.First + *asked
			*asked++
			if !yield(q) {
				return
			}
		}
	}
}
