//go:build external

package browser

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// soon is within which time news is shown. Machines that test may be slower, with other things to do.
const (
	soon       = time.Second
	soonSlower = 5
)

// A job's new state is on the page within a second of the event that tells of it, without a reload.
func TestExternalNewStateIsShown(t *testing.T) {
	c := startCluster(t, 1, 2)
	c.run(map[string]string{"words": "RUNNING"})
	news := tellWhen(t, c.url, `"state":"CANCELED"`)
	tb := open(t, news.url, "", desk)
	tb.says(jobName["words"])
	tb.says("Live")
	tb.watchFor("Cancelled")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, c.url+"/jobs/"+ids["words"]+"?mode=cancel", nil)
	tb.must(err)
	a, err := http.DefaultClient.Do(r)
	tb.must(err)
	tb.must(a.Body.Close())
	tb.shownSoon(news)
}

// So is a new bottleneck: the job has waited for a TaskManager, and then has one.
func TestExternalNewBottleneckIsShown(t *testing.T) {
	c := startCluster(t, 0, 2)
	c.submit("payments")
	news := tellWhen(t, c.url, `"bottleneck":{"vertex"`)
	tb := open(t, news.url, "#/job/"+ids["payments"], desk)
	tb.says("orders")
	tb.says("Live")
	tb.watchFor("is the bottleneck")
	c.start("taskmanager")
	tb.shownSoon(news)
}

// watchFor lets the page note when it has some words.
func (tb *tab) watchFor(words string) {
	tb.t.Helper()
	eval[chromedp.Void](tb, `{
	  globalThis.shownAt = 0;
	  const look = () => { if (!shownAt && document.querySelector("main").textContent.includes("`+words+`")) shownAt = Date.now(); };
	  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
	  look();
	}`)
	if eval[int64](tb, "shownAt") != 0 {
		tb.t.Fatalf("the page has %q already", words)
	}
}

// shownSoon waits for what watchFor watches for.
func (tb *tab) shownSoon(news *told) {
	tb.t.Helper()
	for end := time.Now().Add(time.Minute); eval[int64](tb, "shownAt") == 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			tb.t.Fatalf("it is not shown; the page has: %s", eval[string](tb, "document.body.innerText"))
		}
	}
	took := time.Duration(eval[int64](tb, "shownAt")-news.at.Load()) * time.Millisecond
	tb.t.Logf("shown %v after the event; wanted: %v", took, soon)
	if news.at.Load() == 0 || took > soon*soonSlower {
		tb.t.Errorf("that is not because of an event, or more than %d times too late", soonSlower)
	}
}

// told is a server in front of another one, which notes when an event of that has some words.
type told struct {
	url   string
	words []byte
	at    atomic.Int64 // ms since the epoch; 0: not yet
}

func tellWhen(t *testing.T, server, words string) *told {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	n := &told{words: []byte(words)}
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Header.Del("Accept-Encoding") // its words are read
		},
		ModifyResponse: func(a *http.Response) error {
			if strings.HasSuffix(a.Request.URL.Path, "/flott/events") {
				a.Body = &heard{ReadCloser: a.Body, news: n}
			}
			return nil
		},
	}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	n.url = front.URL
	return n
}

// heard is a stream of events that is listened to.
type heard struct {
	io.ReadCloser
	news *told
	last []byte // of what was read, as words may come in two parts
}

func (h *heard) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	h.last = append(h.last, p[:n]...)
	if bytes.Contains(h.last, h.news.words) {
		h.news.at.CompareAndSwap(0, time.Now().UnixMilli())
	}
	h.last = h.last[max(0, len(h.last)-len(h.news.words)):]
	return n, err
}
