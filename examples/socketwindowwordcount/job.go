package main

import (
	"fmt"
	"iter"
	"strings"
	"time"
	"unicode"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/connector/socket"
	"github.com/flott-dev/flott/window"
)

const (
	jobName    = "Socket Window WordCount"
	windowSize = 5 * time.Second
)

// WordCount is a word and how often it came.
type WordCount struct {
	Word  string
	Count int
}

// String is what Print writes, and the board reads.
func (w WordCount) String() string { return fmt.Sprintf("%s %d", w.Word, w.Count) }

// wordCount is the whole job.
func wordCount(env *flott.Environment, addr string) {
	env.From(socket.Lines(addr)).
		FlatMap(words).
		KeyBy(func(w WordCount) string { return w.Word }).
		Window(window.TumblingProcessingTime(windowSize)).
		Reduce(func(a, b WordCount) WordCount { return WordCount{a.Word, a.Count + b.Count} }).
		Print()
}

// words is the words of a line, in lower case and without punctuation, each counted once.
func words(line string) iter.Seq[WordCount] {
	return func(yield func(WordCount) bool) {
		for w := range strings.FieldsFuncSeq(line, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' }) {
			if w = strings.Trim(strings.ToLower(w), "'’"); w != "" && !yield(WordCount{w, 1}) {
				return
			}
		}
	}
}
