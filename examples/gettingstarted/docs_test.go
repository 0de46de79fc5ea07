package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The guide shows code that runs: each of its blocks stands in one of these files, word for word.
func TestGuideShowsThisCode(t *testing.T) {
	var code string
	for _, name := range []string{"main.go", "main_test.go", "visits_test.go", "watch_test.go"} {
		code += read(t, name)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(read(t, "../../docs/getting-started.md"), -1)
	if len(blocks) == 0 {
		t.Fatal("the guide has no code")
	}
	for _, b := range blocks {
		if !strings.Contains(code, b[1]) {
			t.Errorf("this code is in none of the files:\n%s", b[1])
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
