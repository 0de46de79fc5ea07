package rest

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
)

func TestStackFrames(t *testing.T) {
	const text = `operator "score" (6/8): panic: index out of range [41]

goroutine 88 [running]:
runtime.goPanicIndex(0x29, 0x29)
	/go/src/runtime/panic.go:115 +0x74
main.(*Model).Score(0xc000512000, {0xc0021f4000, 0x29, 0x29})
	/src/risk/model.go:117 +0x1d4
example.com/lib/pair.Of[...](...)
	/src/lib/pair.go:7
github.com/flott-dev/flott/internal/data/task.(*Task).run(0xc000190000)
	/src/flott/task.go:133 +0x2b8
created by main.start in goroutine 1
	/src/risk/main.go:9 +0x11d

goroutine 1 [running]:
main.main()
	/src/risk/main.go:1`
	var got []string
	for _, f := range stackFrames(text) {
		got = append(got, fmt.Sprintf("%s %s:%d %t", f.Function, f.File, f.Line, f.User))
	}
	want := []string{
		"runtime.goPanicIndex /go/src/runtime/panic.go:115 false",
		"main.(*Model).Score /src/risk/model.go:117 true",
		"example.com/lib/pair.Of[...] /src/lib/pair.go:7 true",
		"github.com/flott-dev/flott/internal/data/task.(*Task).run /src/flott/task.go:133 false",
		"main.start /src/risk/main.go:9 true",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if none := stackFrames("disk full\n\tat 12:30\nsomewhere"); len(none) != 0 {
		t.Errorf("a text without a stack has %v", none)
	}
}

func TestStackFramesOfGo(t *testing.T) {
	all := stackFrames(string(debug.Stack()))
	if len(all) < 3 || all[0].Function != "runtime/debug.Stack" || !strings.HasSuffix(all[1].Function, "rest.TestStackFramesOfGo") || !strings.HasSuffix(all[1].File, "stack_test.go") || all[1].Line == 0 {
		t.Errorf("%+v", all)
	}
}
