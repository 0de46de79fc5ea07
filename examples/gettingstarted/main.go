// Command gettingstarted is the program of docs/getting-started.md: it counts the words of text files.
package main

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/connector/file"
)

func main() {
	env := flott.New()
	counts(env.From(file.Lines("*.txt"))).Print()
	if _, err := env.Execute(context.Background(), "word count"); err != nil {
		log.Fatal(err)
	}
}

// counts emits each word with its count so far.
func counts(lines flott.Stream[string]) flott.Stream[string] {
	return lines.
		FlatMap(strings.FieldsSeq).
		KeyBy(flott.Identity).
		Aggregate(aggregate.Count[string](), func(word string, n int64) string { return fmt.Sprint(word, " ", n) })
}
