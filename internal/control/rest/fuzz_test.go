package rest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/hostile"
)

// price: some answers are about all that the cluster has, and what other requests have begun goes on meanwhile.
var price = hostile.Price{PerByte: 64, Constant: 8 << 20}

// Whatever comes to the port is answered, by no panic, and at its price.
func FuzzRequest(f *testing.F) {
	blob := "/flott/blobs/" + strings.Repeat("ab", 32)
	for _, seed := range [][4]string{
		{"GET", "/jobs/" + running + "/metrics?get=a,b&agg=min", "", ""},
		{"GET", "/jobs/" + running + "/vertices/" + vertexForProfile + "/subtasks/metrics?subtasks=" + strings.Repeat("0-65535,", 1000), "", ""},
		{"GET", "/jobs/" + running + "/vertices/" + vertexForProfile + "/subtasks/metrics?subtasks=1-9223372036854775807", "", ""},
		{"GET", "/taskmanagers/tm/logs/x?../..", "", ""},
		{"PATCH", "/jobs/" + running + "?mode=cancel", "{}", ""},
		{"POST", "/jobs/" + running + "/savepoints", `{"target-directory":"x","triggerId":"00"}`, ""},
		{"POST", "/flott/jobs", `{"graph":{},"blob":"` + strings.Repeat("ab", 32) + `","args":["x"],"jobId":"` + nobody + `","protocol":1}`, ""},
		{"PUT", blob, "0123456789", "bytes 0-9/10"},
		{"PUT", blob, "9", "bytes 9223372036854775807-9223372036854775807/-1"},
		{"GET", "/flott/jobs/" + nobody + "/output?offset=-1", "", ""},
		{"GET", "/jobs/" + running + "/vertices/x/subtasks/99999999999/attempts/-1", "", ""},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	b := newBench(f, &client{}, Options{})
	f.Fuzz(func(t *testing.T, method, target, body, contentRange string) {
		ctx, end := context.WithTimeout(t.Context(), 20*time.Millisecond) // events go on for ever
		defer end()
		r, err := http.NewRequestWithContext(ctx, method, "http://localhost"+target, strings.NewReader(body))
		if err != nil {
			return // such a one does not come out of a parser
		}
		r.Header.Set("Content-Range", contentRange)
		w := httptest.NewRecorder()
		price.Pay(t, len(target)+len(body), func() { b.rest.ServeHTTP(w, r) })
		if w.Code < 200 || w.Code > 599 {
			t.Errorf("%s %s: %d", method, target, w.Code)
		}
	})
}
