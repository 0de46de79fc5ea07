package rest

import (
	"strconv"
	"strings"
)

// A stackFrame is a call in the stack of a panic.
type stackFrame struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	User     bool   `json:"user"` // that is, neither Go's nor flott's
}

// stackFrames is the calls of the first stack in a text, innermost first. Go writes each on two lines: FUNCTION(ARGUMENTS), and behind a
// tab FILE:LINE +OFFSET.
func stackFrames(text string) []stackFrame {
	all := []stackFrame{}
	call := ""
	for line := range strings.SplitSeq(text, "\n") {
		where, isPlace := strings.CutPrefix(line, "\t")
		f, ok := frameOf(call, where)
		switch {
		case isPlace && ok:
			all = append(all, f)
		case line == "" && len(all) > 0: // the next goroutine's
			return all
		}
		call = line
	}
	return all
}

func frameOf(call, where string) (stackFrame, bool) {
	where, _, _ = strings.Cut(where, " ")
	colon := strings.LastIndexByte(where, ':')
	if colon < 0 {
		return stackFrame{}, false
	}
	line, err := strconv.Atoi(where[colon+1:])
	function := functionOf(call)
	return stackFrame{function, where[:colon], line, ofUser(function)}, err == nil && function != ""
}

// functionOf is the function of `main.(*T).f(0x1, ...)`, or of `created by main.f in goroutine 1`.
func functionOf(call string) string {
	call = strings.TrimPrefix(call, "created by ")
	call, _, _ = strings.Cut(call, " in goroutine ")
	if end := strings.LastIndexByte(call, '('); end > 0 && strings.HasSuffix(call, ")") {
		call = call[:end]
	}
	return call
}

// ofUser says that a function is neither of Go's library, whose packages have no dot in their first element, nor of flott itself.
func ofUser(function string) bool {
	first, rest, inFolder := strings.Cut(function, "/")
	if !inFolder {
		return strings.HasPrefix(first, "main.")
	}
	return strings.Contains(first, ".") && !strings.HasPrefix(first+"/"+rest, "github.com/flott-dev/flott/")
}
