package rest

import (
	"math"
	"slices"
)

// statistics is how a number is spread over subtasks.
type statistics struct {
	Min    int64 `json:"min"`
	Max    int64 `json:"max"`
	Avg    int64 `json:"avg"`
	Sum    int64 `json:"sum"`
	Median int64 `json:"median"`
	P25    int64 `json:"p25"`
	P75    int64 `json:"p75"`
	P95    int64 `json:"p95"`
}

func statisticsOf(values []int64) statistics {
	if len(values) == 0 {
		return statistics{}
	}
	sorted := slices.Sorted(slices.Values(values))
	s := statistics{Min: sorted[0], Max: sorted[len(sorted)-1]}
	for _, v := range sorted {
		s.Sum += v
	}
	s.Avg = s.Sum / int64(len(sorted))
	s.Median, s.P25, s.P75, s.P95 = percentile(sorted, 50), percentile(sorted, 25), percentile(sorted, 75), percentile(sorted, 95)
	return s
}

// percentile lies between two values, as in the library that Flink uses.
func percentile(sorted []int64, p float64) int64 {
	n := len(sorted)
	at := p / 100 * float64(n+1)
	switch {
	case at < 1:
		return sorted[0]
	case at >= float64(n):
		return sorted[n-1]
	}
	lower := sorted[int(at)-1]
	return lower + int64((at-math.Floor(at))*float64(sorted[int(at)]-lower))
}

// A spread collects numbers by name.
type spread map[string][]int64

func (s spread) add(name string, v int64) { s[name] = append(s[name], v) }

func (s spread) statistics() map[string]statistics {
	all := make(map[string]statistics, len(s))
	for name, values := range s {
		all[name] = statisticsOf(values)
	}
	return all
}
