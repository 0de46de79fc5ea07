package cluster

import (
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
	modules := append([]*debug.Module{&info.Main}, info.Deps...)
	i := slices.IndexFunc(modules, func(m *debug.Module) bool { return m.Path == module })
	if i < 0 || modules[i].Version == "" {
		return "unknown"
	}
	return modules[i].Version
}
