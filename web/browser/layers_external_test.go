//go:build external

package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The four layers of SocketWindowWordCount are those of Flink's well-known picture of this job: the source has one subtask, the rest
// have two each.
func TestExternalFourLayers(t *testing.T) {
	c := startCluster(t, 1, 2)
	c.run(map[string]string{"words": "RUNNING"})
	tb := open(t, c.url, "#/job/"+ids["words"]+"?layer=1", desk)
	source, flatMap, reduce := "Socket Stream ×1", "Flat Map ×2", "TumblingProcessingTimeWindows ×2"
	tb.shows("operators", operators, source, flatMap, reduce, "Print to Std. Out ×2")
	x := eval[string](tb, columns)
	for _, layer := range []string{"2", "3"} {
		tb.layer(layer)
		tb.shows("chains", heads, source, flatMap, "TumblingProcessingTimeWindows → Print ×2")
		if now := eval[string](tb, columns); now != x {
			t.Errorf("in layer %s operators stand at %s, and not at %s", layer, now, x)
		}
	}
	subtasks := []string{"Socket Stream 0", "Flat Map 0", "Flat Map 1", "TumblingProcessingTimeWindows 0", "TumblingProcessingTimeWindows 1"}
	tb.shows("subtasks", tasks, subtasks...)
	tb.layer("4")
	tb.shows("subtasks", tasks, subtasks...)
	tb.says("slot 0")
	tb.says("slot 1")
	tb.layer("5")
	for _, name := range []string{"Socket Stream", "Flat Map", "TumblingProcessingTimeWindows"} {
		tb.until(`document.querySelector("main table").innerText.includes(%s)`, name)
	}
}

// What stands in a layer, each with how many there are.
const (
	operators = `[...document.querySelectorAll(".operator")].map(e => e.querySelector("b").innerText + " " + e.querySelector(".times")?.innerText)`
	heads     = `[...document.querySelectorAll(".head")].map(e => e.querySelector("b").innerText + " " + e.lastChild.innerText)`
	tasks     = `[...document.querySelectorAll(".task")].map(e => e.ariaLabel.replace(/^(.*) subtask (\d+).*/, "$1 $2"))`
	columns   = `JSON.stringify([...document.querySelectorAll(".operator")].map(e => Math.round(e.getBoundingClientRect().x)))`
)

// shows waits until the layer has exactly these, by the words that their names have.
func (tb *tab) shows(what, expression string, want ...string) {
	tb.t.Helper()
	tb.until("(" + expression + ").length == " + fmt.Sprint(len(want)))
	have := eval[[]string](tb, expression)
	for _, w := range want {
		if !slices.ContainsFunc(have, func(h string) bool { return fits(h, w) }) {
			tb.t.Errorf("the %s are %q: there is no %s", what, have, w)
		}
	}
}

// fits says that a name has all words of another one.
func fits(name, words string) bool {
	for w := range strings.FieldsSeq(words) {
		if !strings.Contains(name, w) {
			return false
		}
	}
	return true
}

// layer presses the key of a layer, and waits for it.
func (tb *tab) layer(key string) {
	tb.t.Helper()
	tb.press(key)
	tb.until("location.hash.includes(%s)", "layer="+key)
	tb.settle()
}

// Each key does what the list of keys says: it is pressed, and the page is somewhere else, or shows something else.
func TestExternalKeys(t *testing.T) {
	c := startCluster(t, 1, 4)
	c.run(map[string]string{"payments": "RUNNING"})
	job := "#/job/" + ids["payments"]
	tb := open(t, c.url, "", desk)
	tb.says(jobName["payments"])

	const finding = `document.activeElement.closest("dialog[open]") != null`
	tb.press("/")
	tb.until(finding)
	tb.press(escape)
	tb.until(`document.querySelector("dialog") == null`)
	tb.click("Find a job") // as chromium's protocol may write the / there
	tb.until(finding)
	tb.press("Payments")
	tb.until(`document.querySelector("[role=option][aria-selected=true]")?.innerText.includes("Payments")`)
	tb.press("\r")
	tb.goes(job + ".*")
	tb.says("orders")
	tb.settle()
	for _, layer := range []string{"2", "3", "4", "5", "1"} {
		tb.layer(layer)
	}
	tb.says("is the bottleneck")
	tb.press("b")
	tb.goes(".*vertex=.*")
	before := tb.where()
	tb.press("]")
	tb.until("location.hash != %s", before)
	tb.press("[")
	tb.press(escape)
	tb.until(`!location.hash.includes("vertex=")`)
	tb.press("e")
	tb.goes(".*edge=.*")
	tb.press(escape)
	tb.until(`!location.hash.includes("edge=")`)
	for key, place := range map[string]string{"x": job + "/exceptions", "c": job + "/checkpoints"} {
		tb.press(key)
		tb.goes(place)
		tb.press("g", "j")
		tb.goes(job + "(/graph)?(\\?.*)?")
	}
	for keys, place := range map[string]string{"g o": "#/", "g t": "#/task-manager", "g l": "#/job-manager/logs"} {
		tb.press(strings.Fields(keys)...)
		tb.goes(place)
	}
	tb.press("?")
	tb.until(`document.querySelector("dialog[open]") != null`)
	tb.press(escape)
	tb.until(`document.querySelector("dialog[open]") == null`)
	const theme = "(document.documentElement.dataset.theme ?? 'system')"
	before = eval[string](tb, theme)
	tb.press("t")
	tb.until(theme+" != %s", before)
}

// goes waits until the page is at a place.
func (tb *tab) goes(pattern string) {
	tb.t.Helper()
	tb.until("new RegExp(%s).test(location.hash)", "^"+pattern+"$")
}
