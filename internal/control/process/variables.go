package process

import (
	"slices"
	"strings"

	"github.com/flott-dev/flott/internal/control/view"
)

// shown is the beginnings of variables that matter to a process, and hold no user's data.
var shown = []string{"FLOTT_", "GOGC=", "GOMEMLIMIT=", "GOMAXPROCS=", "GODEBUG=", "GOTRACEBACK="}

// secret is the words in names whose values are masked.
var secret = []string{"TOKEN", "PASSWORD", "SECRET", "KEY"}

// mask is Flink's.
const mask = "******"

func variables(environment []string) []view.Setting {
	var all []view.Setting
	for _, v := range slices.Sorted(slices.Values(environment)) {
		name, value, _ := strings.Cut(v, "=")
		if !slices.ContainsFunc(shown, func(begin string) bool { return strings.HasPrefix(v, begin) }) {
			continue
		}
		if isSecret(name) {
			value = mask
		}
		all = append(all, view.Setting{Key: name, Value: value, Origin: "environment " + name})
	}
	return all
}

func isSecret(name string) bool {
	return slices.ContainsFunc(secret, func(word string) bool { return strings.Contains(strings.ToUpper(name), word) })
}

// arguments masks the values of those that say what a secret is: name=value.
func arguments(args []string) []string {
	all := slices.Clone(args)
	for i, a := range all {
		if name, _, found := strings.Cut(a, "="); found && isSecret(name) {
			all[i] = name + "=" + mask
		}
	}
	return all
}
