package config

import (
	"cmp"
	"slices"
)

// nearest is the key that was most likely meant, by one of its names.
func nearest(name string, of func(Key) string) string {
	return of(slices.MinFunc(Keys, func(a, b Key) int {
		return cmp.Compare(distance(name, of(a)), distance(name, of(b)))
	}))
}

// distance is how many bytes must be put in, taken out or replaced to make b of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1) // of the first i bytes of a to the first j of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
