// Command wordcount is a program to plan: its parallelism is left to the environment.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/aggregate"
)

func main() {
	fmt.Println("the program's own output")
	env := flott.New()
	env.From(flott.FromSlice(os.Args[1:])).
		FlatMap(strings.FieldsSeq).
		KeyBy(flott.Identity).
		Aggregate(aggregate.Count[string](), func(w string, n int64) string { return fmt.Sprint(w, " ", n) }).UID("counts").
		Print()
	if _, err := env.Execute(context.Background(), "word count"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
