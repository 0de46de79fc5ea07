package flott

import (
	"testing"

	"github.com/flott-dev/flott/internal/config"
)

func TestEachKeySetsSomething(t *testing.T) {
	n := 0
	for _, k := range config.Keys {
		if k.Scope&config.Program == 0 {
			continue
		}
		n++
		if setters[k.Name] == nil {
			t.Errorf("%s does nothing", k.Name)
		}
	}
	if len(setters) != n {
		t.Errorf("%d settings can be made, but %d are known", len(setters), n)
	}
}
