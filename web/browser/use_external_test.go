//go:build external

package browser

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

//go:embed testdata/use.js
var useScript string

// windows are those in which a page must be of use: phones to large screens.
var windows = []look{
	{390, 844, "light", 0}, {600, 960, "light", 0}, {768, 1024, "light", 0}, {1024, 768, "light", 0}, {1280, 800, "light", 0}, {1440, 757, "light", 0}, {1920, 1080, "light", 0},
}

// large is from where on a window has room for the whole picture of a job, with its legend.
const large = 1440

// used is a place of each kind: the others differ from one of these in what is told only.
var used = []string{
	"overview", "payments-1-stream", "payments-3-execution", "payments-4-physical", "payments-5-table",
	"panel-overview", "panel-subtasks", "panel-subtask", "panel-watermarks", "panel-metrics", "panel-flame", "panel-flame-waits", "panel-pressure", "panel-times", "panel-edge",
	"checkpoints", "exceptions", "configuration", "goroutines",
	"taskmanagers", "taskmanager", "taskmanager-logs",
	"jobmanager-config", "jobmanager-metrics", "jobmanager-log", "jobmanager-files", "jobmanager-output", "jobmanager-goroutines", "jobmanager-profiler",
	"unknown", "keys", "palette", "cancel", "cancel-refused", "lost", "empty", "empty-taskmanagers", "sign-in",
	"wide-overview", "wide-3-execution", "wide-4-physical", "wide-5-table", "wide-subtasks",
	"plan-1-stream", "plan-panel", "plan-config",
}

// Each page is of use in windows of every size, to who has no pointer, and to who does not see it.
func TestExternalUse(t *testing.T) {
	for _, name := range used {
		t.Run(name, func(t *testing.T) {
			p := placeOf(t, name)
			tb := p.open(t, windows[0])
			eval[chromedp.Void](tb, useScript)
			tb.walk()
			for _, l := range windows {
				tb.must(chromedp.Do(tb.ctx, chromedp.EmulateViewport(l.width, l.height)))
				tb.settle()
				tb.wrong(fmt.Sprintf("%d px wide", l.width), "use.fits()")
				if l.width >= large {
					tb.wrong(fmt.Sprintf("%d px wide", l.width), "use.below()")
				}
			}
			tb.wrong("screen reader", "use.pictures()")
			tb.named()
			tb.walk()
		})
	}
}

// wrong reports what a function of the page's script finds.
func (tb *tab) wrong(where, expression string) {
	tb.t.Helper()
	for _, w := range eval[[]string](tb, expression) {
		tb.t.Errorf("%s: %s", where, w)
	}
}

// walk goes through the page with the Tab key: it leads to everything, once, shows where it is, and all that can be clicked has keys.
func (tb *tab) walk() {
	tb.t.Helper()
	stops := eval[[]string](tb, "use.begin()")
	times := make([]int, len(stops))
	for range len(stops) + 4 { // the browser itself has a turn, too
		tb.press(kb.Tab)
		at := eval[struct {
			Stop          int
			Name          string
			Seen, Scrolls bool
		}](tb, "use.at()")
		if at.Stop >= 0 {
			times[at.Stop]++
		}
		if at.Stop == -2 && !at.Scrolls {
			tb.t.Errorf("the Tab key leads to %s, which is nothing to use", at.Name)
		}
		if !at.Seen && (at.Stop < 0 || times[at.Stop] == 1) {
			tb.t.Errorf("%s has the focus, and one does not see that", at.Name)
		}
		if !slices.Contains(times, 0) {
			break
		}
	}
	for i, n := range times {
		if n != 1 {
			tb.t.Errorf("the Tab key leads %d times to %s", n, stops[i])
		}
	}
	clicks := eval[struct {
		Listening int
		Pointed   []string
	}](tb, "use.onlyPointed()")
	if clicks.Listening == 0 {
		tb.t.Error("nothing can be clicked, as it seems")
	}
	for _, e := range clicks.Pointed {
		tb.t.Errorf("%s can be clicked, and not be reached by keys", e)
	}
}

// speaking are roles that are nothing without a name.
var speaking = []string{
	"button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox", "option", "tab", "tablist", "image", "Canvas", "graphics-document",
	"table", "dialog", "heading", "columnheader", "navigation", "region", "log", "slider", "progressbar", "meter", "RootWebArea",
}

// named wants a name for everything that a screen reader tells of, and one main part, if no dialog is before it.
func (tb *tab) named() {
	tb.t.Helper()
	tree, err := chromedp.Call(tb.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	tb.must(err)
	mains := 0
	for _, n := range tree.Nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		role, name := text(n.Role), strings.TrimSpace(text(n.Name))
		if slices.Contains(speaking, role) && name == "" {
			tb.t.Errorf("screen reader: this %s has no name: %s", role, tb.html(n))
		}
		if role == "main" {
			mains++
		}
	}
	if dialogs := eval[int](tb, `document.querySelectorAll("dialog[open]").length`); mains+dialogs != 1 {
		tb.t.Errorf("screen reader: there are %d main parts, and %d dialogs", mains, dialogs)
	}
}

// html is what a node of the accessibility tree is made of.
func (tb *tab) html(n *accessibility.Node) string {
	tb.t.Helper()
	is, err := chromedp.Call(tb.ctx, dom.GetOuterHTML, dom.GetOuterHTMLParams{BackendNodeID: n.BackendDOMNodeID})
	tb.must(err)
	return is.OuterHTML
}

// text is what a value of the accessibility tree says.
func text(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	return strings.Trim(string(v.Value), `"`)
}
