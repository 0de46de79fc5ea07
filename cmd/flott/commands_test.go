package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/commands.md anew")

// reference is what docs/commands.md has behind its introduction: what each command says of itself.
func reference(t *testing.T) string {
	var b strings.Builder
	for _, c := range commands {
		var help, wrong bytes.Buffer
		if status := run([]string{c.name, "-h"}, &help, &wrong); status != success || wrong.Len() > 0 {
			t.Errorf("flott %s -h: %d, %s", c.name, status, &wrong)
		}
		fmt.Fprintf(&b, "\n## flott %s\n\n```text\n%s```\n", c.name, strings.ReplaceAll(help.String(), "\t", "    "))
	}
	return b.String()
}

func TestCommandsAreDocumented(t *testing.T) {
	const document = "../../docs/commands.md"
	have, err := os.ReadFile(document)
	check(t, err)
	introduction, _, _ := strings.Cut(string(have), "\n## flott ")
	want := introduction + reference(t)
	if *update {
		check(t, os.WriteFile(document, []byte(want), 0o644))
	} else if string(have) != want {
		t.Errorf("%s is not what the commands say: go test ./cmd/flott -run TestCommandsAreDocumented -update", document)
	}
	for _, c := range commands {
		if !strings.Contains(introduction, "`flott "+c.name) {
			t.Errorf("the introduction of %s says nothing of flott %s", document, c.name)
		}
	}
}
