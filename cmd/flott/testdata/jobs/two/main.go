// Command two is a program with two jobs.
package main

import (
	"context"
	"log"

	"github.com/flott-dev/flott"
)

func main() {
	env := flott.New()
	for _, job := range []string{"first", "second"} {
		env.From(flott.Sequence(1, 3)).Discard()
		if _, err := env.Execute(context.Background(), job); err != nil {
			log.Fatal(err)
		}
	}
}
