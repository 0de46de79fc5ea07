package file

import (
	"fmt"
	"strconv"
	"strings"
)

// A span is a split: the lines of a file that begin at start or after it, and before end.
type span struct {
	path       string
	start, end int64 // end is toEnd for the rest of the file
}

const toEnd = -1

// String is the ID of the split: path[start:end], path[start:] for the rest of the file.
func (s span) String() string {
	if s.end == toEnd {
		return fmt.Sprintf("%s[%d:]", s.path, s.start)
	}
	return fmt.Sprintf("%s[%d:%d]", s.path, s.start, s.end)
}

func parseSpan(id string) (span, error) {
	wrong := fmt.Errorf("split %q is not of the form path[start:end]", id)
	open := strings.LastIndexByte(id, '[')
	if open < 0 {
		return span{}, wrong
	}
	start, end, found := strings.Cut(strings.TrimSuffix(id[open+1:], "]"), ":")
	s := span{path: id[:open], end: toEnd}
	var err1, err2 error
	s.start, err1 = strconv.ParseInt(start, 10, 64)
	if end != "" {
		s.end, err2 = strconv.ParseInt(end, 10, 64)
	}
	if !found || err1 != nil || err2 != nil || s.start < 0 || s.end != toEnd && s.end < s.start || s.String() != id {
		return span{}, wrong
	}
	return s, nil
}

// sizes bound the ranges of files that are cut.
type sizes struct{ least, most int64 }

// rangesPerReader is how many ranges there are per subtask, where sizes allow it: so many that readers of different speed end at
// about the same time.
const rangesPerReader = 4

// cut makes the splits of files.
func cut(files []found, parallelism int, cuttable bool, s sizes) (spans []span) {
	var total int64
	for _, f := range files {
		total += f.size
	}
	size := max(s.least, min(s.most, total/int64(rangesPerReader*parallelism)))
	for _, f := range files {
		start := int64(0)
		for cuttable && f.regular && compression(f.path) == nil && f.size-start > size {
			spans = append(spans, span{f.path, start, start + size})
			start += size
		}
		spans = append(spans, span{f.path, start, toEnd})
	}
	return spans
}
