package main

import (
	"fmt"
	"os"
	"os/exec"
)

// printScaling measures keyed-count on two cores at parallelism 2 against one core at parallelism 1.
func printScaling(bin string, runs int, scale float64) error {
	at := func(cores string) engine {
		return engine{"flott", func(c comparison, n int64) *exec.Cmd {
			cmd := exec.Command(bin, c.name, cores, str(n))
			cmd.Env = append(os.Environ(), "GOMAXPROCS="+cores)
			return cmd
		}, ownRecords}
	}
	c := comparison{name: "keyed-count", records: 60e6}
	var one, two samples
	for range runs {
		for cores, to := range map[string]*samples{"1": &one, "2": &two} {
			s, err := at(cores).sample(c, scale)
			if err != nil {
				return err
			}
			*to = append(*to, s)
		}
	}
	ratio := two.median(rate) / one.median(rate)
	fmt.Printf("keyed-count: parallelism 1, GOMAXPROCS 1: %.1f Mrec/s; parallelism 2, GOMAXPROCS 2: %.1f Mrec/s; ratio %s\n",
		one.median(rate), two.median(rate), atLeast(ratio, 1.7))
	return nil
}
