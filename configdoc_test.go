package flott

import (
	"testing"

	"github.com/flott-dev/flott/internal/config"
)

func TestEachKeySetsSomething(t *testing.T) {
	for _, k := range config.Keys {
		if setters[k.Name] == nil {
			t.Errorf("%s does nothing", k.Name)
		}
	}
	if len(setters) != len(config.Keys) {
		t.Errorf("%d settings can be made, but %d are known", len(setters), len(config.Keys))
	}
}
