package flott

import (
	"path"
	"runtime"
	"strconv"
	"strings"
)

// Frames of these packages stand between the user's line and the transformation that it makes.
const (
	ownFrames  = "github.com/flott-dev/flott."
	testFrames = "github.com/flott-dev/flott/flotttest."
)

// userSite is the line of user code that is being run, as "main.go:12" or, where its package is not main, "jobs/fraud.go:12".
func userSite() string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, ownFrames) && !strings.HasPrefix(f.Function, testFrames) {
			return siteOf(f)
		}
		if !more {
			return ""
		}
	}
}

func siteOf(f runtime.Frame) string {
	pkg, _, _ := strings.Cut(path.Base(f.Function), ".")
	line := path.Base(f.File) + ":" + strconv.Itoa(f.Line)
	if pkg == "main" {
		return line
	}
	return strings.TrimSuffix(pkg, "_test") + "/" + line
}
