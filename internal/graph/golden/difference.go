package golden

import (
	"bytes"
	"encoding/json"
	jsonv2 "encoding/json/v2"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Difference is where a result first differs from a golden, as "path: golden has this, the compiler that"; "": nowhere.
//
// Everything is compared but what can have no counterpart here: names of Java classes (operatorFactory, error classes), the
// texts of messages, and the adaptive scheduler's job graph with the errors of that stage.
func Difference(want []byte, r *Result) (string, error) {
	golden, err := values(want)
	if err != nil {
		return "", err
	}
	text, err := jsonv2.Marshal(r)
	if err != nil {
		return "", err
	}
	ours, err := values(text)
	if err != nil {
		return "", err
	}
	return difference("", compared(golden), compared(ours)), nil
}

// values reads JSON, numbers as they stand.
func values(text []byte) (v map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// compared is a golden without what is not compared.
func compared(g map[string]any) map[string]any {
	delete(g, "adaptiveJobGraph")
	if e, ok := g["error"].(map[string]any); ok {
		if e["stage"] == "adaptiveJobGraph" {
			delete(g, "error")
		} else {
			g["error"] = map[string]any{"stage": e["stage"]}
		}
	}
	if s, ok := g["streamGraph"].(map[string]any); ok {
		if s["hashError"] != nil {
			s["hashError"] = "some"
		}
		nodes, _ := s["nodes"].([]any)
		for _, n := range nodes {
			if node, ok := n.(map[string]any); ok {
				delete(node, "operatorFactory")
			}
		}
	}
	return g
}

func difference(path string, want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			return differentKey(path, w, g)
		}
	case []any:
		if g, ok := got.([]any); ok {
			return differentElement(path, w, g)
		}
	case json.Number:
		if g, ok := got.(json.Number); ok && equalNumbers(w, g) {
			return ""
		}
	case string:
		if g, ok := got.(string); ok {
			return differentText(path, w, g)
		}
	default:
		if want == got {
			return ""
		}
	}
	return fmt.Sprintf("%s\n  golden   %s\n  compiler %s", path, brief(want), brief(got))
}

func differentKey(path string, want, got map[string]any) string {
	keys := maps.Clone(want)
	maps.Copy(keys, got)
	for _, k := range slices.SortedFunc(maps.Keys(keys), byInterest) {
		w, inWant := want[k]
		g, inGot := got[k]
		at := path + "." + k
		switch {
		case !inWant:
			return fmt.Sprintf("%s\n  golden   has none\n  compiler %s", at, brief(g))
		case !inGot:
			return fmt.Sprintf("%s\n  golden   %s\n  compiler has none", at, brief(w))
		}
		if d := difference(at, w, g); d != "" {
			return d
		}
	}
	return ""
}

// byInterest orders keys so that causes come before what follows from them.
func byInterest(a, b string) int {
	order := []string{"error", "transformationIds", "streamGraph", "jobGraph", "executionGraph", "hash", "id", "name", "vertexCreationOrder"}
	rank := func(k string) int {
		if i := slices.Index(order, k); i >= 0 {
			return i
		}
		return len(order)
	}
	if d := rank(a) - rank(b); d != 0 {
		return d
	}
	return strings.Compare(a, b)
}

func differentElement(path string, want, got []any) string {
	for i := range min(len(want), len(got)) {
		if d := difference(fmt.Sprintf("%s[%d]", path, i), want[i], got[i]); d != "" {
			return d
		}
	}
	if len(want) != len(got) {
		return fmt.Sprintf("%s has %d elements in the golden, %d by the compiler\n  golden   %s\n  compiler %s",
			path, len(want), len(got), brief(want), brief(got))
	}
	return ""
}

// differentText shows long texts from a little before they differ.
func differentText(path, want, got string) string {
	if want == got {
		return ""
	}
	const before = 100
	same := 0
	for same < min(len(want), len(got)) && want[same] == got[same] {
		same++
	}
	start := max(0, same-before)
	return fmt.Sprintf("%s, from byte %d\n  golden   %s\n  compiler %s", path, start, brief(want[start:]), brief(got[start:]))
}

// equalNumbers: 1.0 is 1. Whole numbers too large for a float64 are compared by their digits.
func equalNumbers(a, b json.Number) bool {
	if _, err := a.Int64(); err == nil {
		if _, err := b.Int64(); err == nil {
			return a == b
		}
	}
	x, err := a.Float64()
	y, err2 := b.Float64()
	return err == nil && err2 == nil && x == y
}

// brief is a value as one line that is not too long to read.
func brief(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	const most = 300
	if len(text) > most {
		text = append(text[:most], "..."...)
	}
	return string(text)
}
