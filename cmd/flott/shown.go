package main

import (
	"strings"
	"unicode"
)

// shown is a text of a job as a terminal may have it: names and errors are the user's, and what controls a terminal, such as a line of
// another colour or the end of one, must not be taken for what flott says.
func shown(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
