package jobgraph

// An order is chains in topological order. It is Flink's one of many: chains without inputs come first, as they were made; then,
// place by place, the consumers of each as soon as all their producers are placed, and behind each of them at once its own.
type order []*chain

func orderOf(made []*chain) order {
	o := make(order, 0, len(made))
	for _, c := range made {
		c.waiting = len(c.inputs)
	}
	for _, c := range made {
		if len(c.inputs) == 0 {
			o.place(c)
		}
	}
	for i := 0; i < len(o); i++ {
		o.follow(o[i])
	}
	return o
}

// place gives c the next place.
func (o *order) place(c *chain) {
	c.index = len(*o)
	*o = append(*o, c)
	for _, d := range c.produces {
		for _, to := range d.consumers {
			to.chain.waiting--
		}
	}
}

// follow places the consumers of c, depth first, that wait for nothing else.
func (o *order) follow(c *chain) {
	for _, d := range c.produces {
		for _, to := range d.consumers {
			if next := to.chain; next.waiting == 0 {
				next.waiting = -1 // placed
				o.place(next)
				o.follow(next)
			}
		}
	}
}
