package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// mostName bounds the name of a vertex, which has those of all its operators, in a sentence.
const mostName = 60

func (o *Observation) name(v int) string {
	name := []rune(o.Vertices[v].Name)
	if len(name) <= mostName {
		return string(name)
	}
	return string(name[:mostName-1]) + "…"
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func thousandths(share float64) int64 { return int64(math.Round(1000 * share)) }

// duration is milliseconds in words, with two units at most.
func duration(ms int64) string {
	s := (ms + 500) / 1000
	switch {
	case ms < 1000:
		return fmt.Sprintf("%d ms", ms)
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return pair(s/60, "min", s%60, "s")
	case s < 24*3600:
		return pair(s/3600, "h", s%3600/60, "min")
	}
	return pair(s/86400, "d", s%86400/3600, "h")
}

func pair(a int64, unit string, b int64, smaller string) string {
	if b == 0 {
		return fmt.Sprintf("%d %s", a, unit)
	}
	return fmt.Sprintf("%d %s %d %s", a, unit, b, smaller)
}

// withoutNumbers is a text without the digits in it.
func withoutNumbers(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text)
}

// plural is "1 task" or "2 tasks".
func plural(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// mostNamed is how many a sentence lists.
const mostNamed = 3

func times(n int) string {
	if n == 2 {
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// list is "a", "a and b", "a, b and c", or "a, b, c and 2 more".
func list(names []string) string {
	if more := len(names) - mostNamed; more > 0 {
		names = append(slices.Clone(names[:mostNamed]), fmt.Sprintf("%d more", more))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// sentence ends a text of somebody else's as ours end.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}
