//go:build external

package browser

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// A browser has six connections for a server, for all its tabs, and a stream of events holds one: with a stream for each, the seventh tab
// would be empty. So only the tab that is seen has one, and eight tabs each show their page.
func TestExternalManyTabs(t *testing.T) {
	c := startCluster(t, 0, 1)
	counted := countStreams(t, c.url)
	first := open(t, counted.url, "", desk)
	tabs := []*tab{first}
	for range 7 {
		tabs = append(tabs, first.beside(false))
	}
	for _, tb := range tabs {
		tb.front()
		tb.says("Live")
		tb.says("flott run")
	}
	counted.await(t, 1)
	for range 6 { // that nobody has seen yet
		unseen := first.beside(true)
		unseen.until(`document.hidden`)
		unseen.says("flott run")
		unseen.says("Connecting")
	}
	first.front()
	first.says("Live")
	counted.await(t, 1)
}

// beside is another tab of the same window, with the same page: in front of all, or behind.
func (tb *tab) beside(behind bool) *tab {
	tb.t.Helper()
	created, err := chromedp.CallBrowser(tb.ctx, target.CreateTarget, target.CreateTargetParams{
		URL: "about:blank", BrowserContextID: chromedp.FromContext(tb.ctx).BrowserContextID, Background: &behind,
	})
	tb.must(err)
	next := listenTo(tb.t, tb.ctx, chromedp.WithTargetID(created.TargetID))
	next.server = tb.server
	next.must(chromedp.Do(next.ctx, chromedp.Navigate(tb.server+"/")))
	return next
}

// front brings a tab before those beside it.
func (tb *tab) front() {
	tb.t.Helper()
	_, err := chromedp.Call(tb.ctx, page.BringToFront, struct{}{})
	tb.must(err)
	tb.until(`!document.hidden`)
}

// A streamCount is a server in front of another one, which counts the streams of events that are open.
type streamCount struct {
	url  string
	open atomic.Int32
}

func countStreams(t *testing.T, server string) *streamCount {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	c := &streamCount{}
	proxy := httputil.NewSingleHostReverseProxy(to)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/flott/events") {
			c.open.Add(1)
			defer c.open.Add(-1)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	c.url = front.URL
	return c
}

// await waits until so many streams are open.
func (c *streamCount) await(t *testing.T, want int32) {
	t.Helper()
	for end := time.Now().Add(time.Minute); c.open.Load() != want; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d streams are open, and not %d", c.open.Load(), want)
		}
	}
}
