package cluster

import (
	"cmp"
	"runtime/debug"
	"slices"
)

const module = "github.com/flott-dev/flott"

// Version is that of flott in this executable.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return versionIn(info)
}

// versionIn takes what a replace of go.mod names: the version that it replaces says nothing of the code that runs.
func versionIn(info *debug.BuildInfo) string {
	modules := append([]*debug.Module{&info.Main}, info.Deps...)
	i := slices.IndexFunc(modules, func(m *debug.Module) bool { return m.Path == module })
	if i < 0 {
		return "unknown"
	}
	m := modules[i]
	if m.Replace != nil {
		m = m.Replace
	}
	return cmp.Or(m.Version, "unknown")
}
