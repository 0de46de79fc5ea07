//go:build external

package browser

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// A JobManager that was started anew does not know the job of an open page, which then says so: it would be green for ever.
func TestExternalJobThatIsNotKnownAnyMore(t *testing.T) {
	s := showScene(t, "cluster")
	var anew atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if anew.Load() && strings.HasPrefix(r.URL.Path, "/jobs/") {
			http.Error(w, `{"errors": ["it is not found"]}`, http.StatusNotFound)
			return
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	tb := blank(t)
	tb.tolerant = true
	tb.load(server.URL, "#/job/"+ids["payments"]+"/graph?layer=2")
	tb.until(`document.querySelector(".job") != null`)
	anew.Store(true)
	tb.says("This job cannot be shown")
	tb.until(`document.querySelector(".job") == null`)
}
