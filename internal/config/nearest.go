package config

import (
	"cmp"
	"slices"
)

// nearest is the key that was most likely meant, by one of its names.
func nearest(name string, of func(Key) string) string {
	var names []string
	for _, k := range Keys {
		names = append(names, of(k))
	}
	return Nearest(name, names)
}

// Nearest is the one of some names, of which there is at least one, that was most likely meant.
func Nearest(typed string, names []string) string {
	return slices.MinFunc(names, func(a, b string) int { return cmp.Compare(distance(typed, a), distance(typed, b)) })
}

// Near says that a name is so near to what was typed that it may have been meant: a third of it may be wrong.
func Near(typed, name string) bool { return distance(typed, name) <= max(1, (len(typed)+1)/3) }

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
