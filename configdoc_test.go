package flott

import (
	"os"
	"strings"
	"testing"
)

func TestConfigurationIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		if row := "| `" + k.name + "` | `" + k.variable() + "` |"; !strings.Contains(string(doc), row) {
			t.Errorf("docs/configuration.md has no row %q", row)
		}
	}
	for _, name := range reserved {
		if !strings.Contains(string(doc), "`"+name) {
			t.Errorf("docs/configuration.md says nothing of %s", name)
		}
	}
}
