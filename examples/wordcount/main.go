// Command wordcount counts the words of text files, here or on a cluster: it is told where they are, so that a worker, which runs in a
// folder of its own, finds them, too.
//
//	go run ./examples/wordcount /path/to/*.txt
//	flott run -p 4 ./examples/wordcount -- /path/to/*.txt
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/connector/file"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, files []string) error {
	if err := check(files); err != nil {
		return err
	}
	env := flott.New()
	counts(env.From(file.Lines(files...))).Print()
	_, err := env.Execute(ctx, "word count")
	return err
}

// check wants paths that mean the same in every folder.
func check(files []string) error {
	if len(files) == 0 {
		return errors.New("wordcount needs the files whose words it is to count")
	}
	for _, f := range files {
		if !filepath.IsAbs(f) {
			return fmt.Errorf("%s is not an absolute path: a worker runs in another folder", f)
		}
	}
	return nil
}

// counts emits each word with how often it has come.
func counts(lines flott.Stream[string]) flott.Stream[string] {
	return lines.
		FlatMap(strings.FieldsSeq).
		KeyBy(flott.Identity).
		Aggregate(aggregate.Count[string](), func(word string, n int64) string { return fmt.Sprint(word, " ", n) })
}
