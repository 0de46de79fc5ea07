package jobgraph

// Sets is a partition of the numbers 0 ... n-1 that starts with each number alone.
type Sets struct{ parent []int }

// NewSets is n sets of one number.
func NewSets(n int) *Sets {
	s := &Sets{make([]int, n)}
	for i := range s.parent {
		s.parent[i] = i
	}
	return s
}

// Join makes one set of the sets of a and b.
func (s *Sets) Join(a, b int) { s.parent[s.Root(a)] = s.Root(b) }

// Root is the number that stands for i's set.
func (s *Sets) Root(i int) int {
	for s.parent[i] != i {
		s.parent[i] = s.parent[s.parent[i]]
		i = s.parent[i]
	}
	return i
}

// All is the sets by their smallest number, each in ascending order.
func (s *Sets) All() [][]int {
	at := make([]int, len(s.parent)) // by root: 1 + index in all
	var all [][]int
	for i := range s.parent {
		r := s.Root(i)
		if at[r] == 0 {
			all = append(all, nil)
			at[r] = len(all)
		}
		all[at[r]-1] = append(all[at[r]-1], i)
	}
	return all
}
