package diagnose

import "testing"

func TestLag(t *testing.T) {
	const behind = "warn lag: Event time falls behind: Each minute it is further behind the clock: 1 min 10 s now, which is 50 s more than 5 min ago."
	for name, test := range map[string]struct {
		falls []int64 // seconds behind the clock that each minute adds
		first int64   // seconds behind at first
		want  string
	}{
		"grows":                   {[]int64{10, 10, 10, 10, 10}, 20, behind},
		"grows for four minutes":  {[]int64{10, 10, 10, 10}, 20, ""},
		"grew, and then did not":  {[]int64{10, 10, 10, 10, 10, 0}, 20, ""},
		"grew for longer":         {[]int64{10, 10, 10, 10, 10, 10}, 10, behind},
		"with a rest":             {[]int64{10, 10, 0, 10, 10}, 20, ""},
		"by a second":             {[]int64{1, 1, 1, 1, 1}, 20, ""},
		"stands":                  {[]int64{60, 60, 60, 60, 60}, 20, "stalled watermark: Event time stands in source"},
		"shrinks":                 {[]int64{-10, -10, -10, -10, -10}, 80, ""},
		"was ahead of the clock":  {[]int64{10, 10, 10, 10, 10}, -20, ""},
		"of years ago":            {[]int64{10, 10, 10, 10, 10}, 400 * 24 * 3600, ""},
		"grows for years, so far": {[]int64{10, 10, 10, 10, 10}, 300 * 24 * 3600, "warn lag: Event time falls behind: Each minute it is further behind the clock: 300 d now"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "source", 1)
			w.o.At = 1_700_000_000_000
			lag := 1000 * test.first
			look := func() Diagnosis {
				value := w.o.At + 1000 - lag
				w.task("source").Time, w.task("source").Watermark = &SourceTime{Watermark: value, Furthest: value}, value
				return w.pass(1, map[string]work{"source": {10, 0, 9}})
			}
			look()
			for _, falls := range test.falls {
				begun := lag
				for second := range int64(60) {
					lag = begun + 1000*falls*(second+1)/60
					look()
				}
			}
			if test.want == "" {
				expect(t, w.Diagnosis())
				return
			}
			expect(t, w.Diagnosis(), test.want)
		})
	}
}
