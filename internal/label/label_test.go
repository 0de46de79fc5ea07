package label

import (
	"bytes"
	"runtime/pprof"
	"strings"
	"testing"
)

func TestWatchLabelsItsWork(t *testing.T) {
	var b bytes.Buffer
	Watch(func() {
		if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
			t.Fatal(err)
		}
	})
	if !strings.Contains(b.String(), `# labels: {"work":"watching"}`) {
		t.Errorf("no such goroutine:\n%s", b.String())
	}
}
