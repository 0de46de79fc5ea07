//go:build external

package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A look is how a browser shows a page.
type look struct {
	width, height int64
	theme         string // light, dark
	still         int64  // the time that it is, in ms since the epoch, and always will be; 0: time goes by
}

var desk = look{1440, 900, "light", 0}

// patience is how long a page may take for anything.
const patience = time.Minute

// A tab is a page in a browser that has never seen another one. When its test ends, it must not have seen an error, nor asked anybody
// but its server.
type tab struct {
	t      *testing.T
	ctx    context.Context
	server string
	close  func()
	// tolerant says that answers may be errors, of which the browser complains.
	tolerant bool

	mu       sync.Mutex
	complain []string
}

// open opens the page of a server at a place of it, such as "#/job/ID".
func open(t *testing.T, server, place string, l look) *tab {
	t.Helper()
	tb := blank(t)
	tb.dress(l)
	tb.load(server, place)
	return tb
}

// load goes to the page of a server.
func (tb *tab) load(server, place string) {
	tb.t.Helper()
	tb.server = server
	tb.must(chromedp.Do(tb.ctx, chromedp.Navigate(server+"/"+place)))
}

// blank is a tab without a page.
func blank(t *testing.T) *tab {
	t.Helper()
	return listenTo(t, chromium, chromedp.WithNewBrowserContext())
}

// listenTo is a new tab, or the one that the options name.
func listenTo(t *testing.T, parent context.Context, options ...chromedp.ContextOption) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent, options...)
	tb := &tab{t: t, ctx: ctx, close: sync.OnceFunc(cancel)}
	t.Cleanup(func() {
		tb.close()
		for _, c := range tb.complaints() {
			t.Error(c)
		}
	})
	if err := chromedp.Listen(ctx, tb.hear); err != nil {
		t.Fatal(err)
	}
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	tb.must(err)
	_, err = chromedp.Call(ctx, log.Enable, struct{}{})
	tb.must(err)
	return tb
}

// dress makes the browser look so.
func (tb *tab) dress(l look) {
	tb.t.Helper()
	tb.must(chromedp.Do(tb.ctx, chromedp.EmulateViewport(l.width, l.height)))
	tb.wear(l.theme)
	_, err := chromedp.Call(tb.ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "UTC"})
	tb.must(err)
	if l.still != 0 {
		_, err = chromedp.Call(tb.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf(stopClock, l.still)})
		tb.must(err)
	}
}

// wear makes it light or dark.
func (tb *tab) wear(theme string) {
	tb.t.Helper()
	_, err := chromedp.Call(tb.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
	tb.must(err)
}

// stopClock makes it one moment for ever.
const stopClock = `{
  const Real = Date, now = %d;
  globalThis.Date = class extends Real {
    constructor(...given) { given.length ? super(...given) : super(now); }
    static now() { return now; }
  };
}`

func (tb *tab) must(err error) {
	tb.t.Helper()
	if err != nil {
		tb.t.Fatal(err)
	}
}

// hear takes note of what must not be.
func (tb *tab) hear(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		tb.note("script error: %s", describe(e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeAssert {
			tb.note("console: %s", arguments(e.Args))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError && !(tb.tolerant && e.Entry.Source == log.EntrySourceNetwork) {
			tb.note("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, tb.server+"/") {
			tb.note("a request to another origin: %s", e.Request.URL)
		}
	}
}

func (tb *tab) note(format string, args ...any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.complain = append(tb.complain, fmt.Sprintf(format, args...))
}

// complaints are what was noted since it was asked last.
func (tb *tab) complaints() []string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	all := tb.complain
	tb.complain = nil
	return all
}

func describe(d *runtime.ExceptionDetails) string {
	if d.Exception != nil && d.Exception.Description != "" {
		return d.Exception.Description
	}
	return d.Text
}

func arguments(all []*runtime.RemoteObject) string {
	var b strings.Builder
	for _, a := range all {
		fmt.Fprintf(&b, "%s %s ", a.Value, a.Description)
	}
	return b.String()
}

// eval is the value of an expression, or of the promise that it is.
func eval[T any](tb *tab, expression string) T {
	tb.t.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		tb.t.Fatalf("%.200s: %v", expression, err)
	}
	return v
}

// until waits for an expression to be true.
func (tb *tab) until(expression string, args ...any) {
	tb.t.Helper()
	for i := range args {
		quoted, err := json.Marshal(args[i])
		tb.must(err)
		args[i] = string(quoted)
	}
	expression = fmt.Sprintf(expression, args...)
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingInterval(20*time.Millisecond))); err != nil {
		tb.t.Fatalf("not true: %s: %v\nthe page has: %s", expression, err, eval[string](tb, "document.body.innerText"))
	}
}

// says waits for words to stand on the page.
func (tb *tab) says(words string) {
	tb.t.Helper()
	tb.until("document.body.innerText.includes(%s)", words)
}

// press presses keys, one after the other. Names of kb stand for themselves.
func (tb *tab) press(keys ...string) {
	tb.t.Helper()
	for _, k := range keys {
		tb.must(chromedp.Do(tb.ctx, chromedp.KeyEvent(k)))
	}
}

// click clicks on the first thing that can be pressed and has a name, as its text or label.
func (tb *tab) click(name string) {
	tb.t.Helper()
	tb.until(`(() => {
	  const can = "a[href], button, summary, [role=button], [role=tab], [role=menuitem], [role=option], [role=radio]";
	  const named = e => (e.getAttribute("aria-label") || e.innerText || "").trim().replace(/\s+/g, " ");
	  const found = [...document.querySelectorAll(can)].find(e => named(e).startsWith(%s) && e.checkVisibility());
	  found?.click();
	  return !!found;
	})()`, name)
}

// go_ goes to another place of the page.
func (tb *tab) visit(place string) {
	tb.t.Helper()
	eval[chromedp.Void](tb, fmt.Sprintf("location.hash = %q", place))
}

// settle waits until fonts are there, nothing is being asked for, and what was asked for is shown.
func (tb *tab) settle() {
	tb.t.Helper()
	tb.until(`document.fonts.status == "loaded" && !document.querySelector("[aria-busy=true]")`)
	eval[chromedp.Void](tb, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))`)
}

// where is the place of the page that is shown.
func (tb *tab) where() string { return eval[string](tb, "location.hash") }

const escape = kb.Escape
