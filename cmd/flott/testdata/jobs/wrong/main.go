// Command wrong is a program with two mistakes.
package main

import (
	"context"
	"log"

	"github.com/flott-dev/flott"
)

func main() {
	env := flott.New()
	env.From(flott.Sequence(1, 3)).Name("unread")
	env.From(flott.Sequence(1, 3)).Map(flott.Identity).Parallelism(0).Discard()
	if _, err := env.Execute(context.Background(), "wrong"); err != nil {
		log.Fatal(err)
	}
}
