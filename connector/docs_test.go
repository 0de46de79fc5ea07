package connector_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The guide shows code that compiles: each of its blocks stands in one of the examples, word for word.
func TestGuideShowsTheExamples(t *testing.T) {
	guide := readFile(t, "../docs/connectors.md")
	examples := readFile(t, "example_source_test.go") + readFile(t, "example_sink_test.go")
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(guide, -1)
	if len(blocks) == 0 {
		t.Fatal("the guide has no code")
	}
	for _, b := range blocks {
		if !strings.Contains(examples, b[1]) {
			t.Errorf("this code is in no example:\n%s", b[1])
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
