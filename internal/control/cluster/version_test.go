package cluster

import (
	"runtime/debug"
	"testing"
)

func TestVersionIsThatOfTheCodeThatRuns(t *testing.T) {
	const replaced = "v0.0.0-00010101000000-000000000000" // what go.mod has where there is only a replace
	for want, flott := range map[string]debug.Module{
		"v1.2.3":  {Path: module, Version: "v1.2.3"},
		"v1.2.4":  {Path: module, Version: "v1.2.3", Replace: &debug.Module{Path: "example.org/fork", Version: "v1.2.4"}},
		"(devel)": {Path: module, Version: replaced, Replace: &debug.Module{Path: "../flott", Version: "(devel)"}},
		"unknown": {Path: "example.org/other", Version: "v1.0.0"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Path: "shop", Version: "(devel)"}, Deps: []*debug.Module{&flott}}
		if got := versionIn(info); got != want {
			t.Errorf("%+v: got %s, want %s", flott, got, want)
		}
		if got := versionIn(&debug.BuildInfo{Main: flott}); got != want {
			t.Errorf("main module %+v: got %s, want %s", flott, got, want)
		}
	}
}
