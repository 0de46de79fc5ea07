package jobs

import (
	"strings"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/bench/workload"
	"github.com/flott-dev/flott/process"
)

func wordcount(env *flott.Environment, r Run) {
	words := env.From(flott.Generate(r.Records, 0, workload.Sentence)).Name("source").
		FlatMapTo(func(line string, out *process.Collector[string]) error {
			for w := range strings.SplitSeq(line, " ") {
				out.Emit(w)
			}
			return nil
		})
	counts := words.KeyBy(flott.Identity).
		Aggregate(aggregate.Count[string](), func(w string, n int64) workload.Word { return workload.Word{Text: w, Count: n} })
	count(counts, r, workload.Word.Sum)
}
