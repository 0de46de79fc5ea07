package memory_test

import (
	"context"
	"fmt"
	"log"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/connector/memory"
)

func ExampleCollector() {
	var squares memory.Collector[int]
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of(1, 2, 3)).Map(func(n int) int { return n * n }).To(&squares)
	if _, err := env.Execute(context.Background(), "squares"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(squares.Values())
	// Output: [1 4 9]
}
