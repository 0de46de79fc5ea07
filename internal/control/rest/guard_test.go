package rest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/flott-dev/flott/web"
)

func TestWhoMayAsk(t *testing.T) {
	for name, test := range map[string]struct {
		token  string
		method string
		path   string
		header []string
		want   int
		cors   string
	}{
		"curl cancels":                        {"", "PATCH", "/jobs/" + running, nil, 202, ""},
		"the page cancels":                    {"", "PATCH", "/jobs/" + running, []string{"Sec-Fetch-Site", "same-origin"}, 202, ""},
		"the address bar reads":               {"", "GET", "/overview", []string{"Sec-Fetch-Site", "none"}, 200, "*"},
		"another site reads":                  {"", "GET", "/overview", []string{"Sec-Fetch-Site", "cross-site", "Origin", "http://evil.example"}, 200, "*"},
		"another site cancels":                {"", "PATCH", "/jobs/" + running, []string{"Sec-Fetch-Site", "cross-site"}, 403, ""},
		"a sibling site cancels":              {"", "PATCH", "/jobs/" + running, []string{"Sec-Fetch-Site", "same-site"}, 403, ""},
		"another site cancels by GET":         {"", "GET", "/jobs/" + running + "/yarn-cancel", []string{"Sec-Fetch-Site", "cross-site"}, 403, ""},
		"another site cancels below v1":       {"", "GET", "/v1/jobs/" + running + "/yarn-cancel", []string{"Origin", "http://evil.example"}, 403, ""},
		"an old browser of another site":      {"", "POST", "/flott/jobs", []string{"Origin", "http://evil.example"}, 403, ""},
		"a site without a name":               {"", "DELETE", "/cluster", []string{"Origin", "null"}, 403, ""},
		"a name that was pointed at us":       {"", "DELETE", "/cluster", []string{"Origin", "http://evil.example", "Host", "evil.example"}, 403, ""},
		"the page at its address":             {"", "PATCH", "/jobs/" + running, []string{"Origin", "http://127.0.0.1:8081", "Host", "127.0.0.1:8081"}, 202, ""},
		"the page under a name, with token":   {"t", "PATCH", "/jobs/" + running, []string{"Origin", "http://flott.example", "Host", "flott.example", "Authorization", "Bearer t"}, 202, ""},
		"another page with the token":         {"t", "PATCH", "/jobs/" + running, []string{"Origin", "http://evil.example", "Authorization", "Bearer t"}, 403, ""},
		"nobody reads without the token":      {"t", "GET", "/overview", nil, 401, ""},
		"nobody reads with a wrong token":     {"t", "GET", "/overview", []string{"Authorization", "Bearer u"}, 401, ""},
		"nobody scrapes without the token":    {"t", "GET", "/metrics", nil, 401, ""},
		"nobody learns which paths there are": {"t", "GET", "/nosuch", nil, 401, ""},
		"a reader with the token":             {"t", "GET", "/overview", []string{"Authorization", "Bearer t"}, 200, ""},
		"a reader in small letters":           {"t", "GET", "/overview", []string{"Authorization", "bearer t"}, 200, ""},
		"nobody reads by another scheme":      {"t", "GET", "/overview", []string{"Authorization", "Basic t"}, 401, ""},
		"nobody reads with an empty token":    {"t", "GET", "/overview", []string{"Authorization", "Bearer "}, 401, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, &client{}, Options{Token: test.token})
			a, body := b.ask(test.method, test.path, "", test.header...)
			if a.StatusCode != test.want || a.Header.Get("Access-Control-Allow-Origin") != test.cors {
				t.Errorf("%s, cors %q: %s", a.Status, a.Header.Get("Access-Control-Allow-Origin"), body)
			}
			if test.want >= 400 && (b.cluster.ended || b.cluster.list[0].State != "RUNNING") {
				t.Error("something was changed all the same")
			}
		})
	}
}

func TestReadOnly(t *testing.T) {
	b := newBench(t, &client{}, Options{ReadOnly: true})
	for _, page := range []string{"Origin", "Sec-Fetch-Site"} {
		a, _ := b.ask("PATCH", "/jobs/"+running, "", page, map[string]string{"Origin": b.URL, "Sec-Fetch-Site": "same-origin"}[page])
		if a.StatusCode != http.StatusForbidden || b.cluster.list[0].State != "RUNNING" {
			t.Errorf("a page that shows itself by %s cancels: %s", page, a.Status)
		}
	}
	var d dashboard
	b.into("/config", &d)
	if d.Features.Cancel || !d.Flott.ReadOnly {
		t.Error("there is a button")
	}
	if a, _ := b.ask("PATCH", "/jobs/"+running, ""); a.StatusCode != http.StatusAccepted {
		t.Errorf("a command line cannot cancel: %s", a.Status)
	}
}

func TestPathsThatAreNone(t *testing.T) {
	b := newBench(t, nil, Options{})
	for _, path := range []string{"/jobs/..", "/jobs/../overview", "//overview", "/jobs/%2e%2e/overview", "/v1", "/v1/v1/overview", "/overview/", "/jobs/" + running + "%2Fplan"} {
		a, body := b.ask("GET", path, "")
		if a.StatusCode != http.StatusNotFound && a.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s %s", path, a.Status, body)
		}
	}
}

// Flink serves everything below /v1, too, and somebody may look for the page there.
func TestPageBelowVersion(t *testing.T) {
	b := newBench(t, nil, Options{Page: web.Page(), Token: "t"})
	a, body := b.ask("GET", "/v1/", "")
	if _, page := b.ask("GET", "/", ""); a.StatusCode != http.StatusOK || body != page || !strings.Contains(page, "<title>") {
		t.Errorf("%s: %s", a.Status, body)
	}
	if a, _ := b.ask("GET", "/v1", ""); a.StatusCode != http.StatusMovedPermanently || a.Header.Get("Location") != "v1/" {
		t.Errorf("%s to %q", a.Status, a.Header.Get("Location"))
	}
	if a, _ := b.ask("GET", "/v1/overview", ""); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("what is not of the page: %s", a.Status)
	}
}

func TestLargeBodyIsRefused(t *testing.T) {
	b := newBench(t, nil, Options{})
	a, _ := b.ask("POST", "/jobs/"+running+"/savepoints", `{"target-directory":"`+strings.Repeat("x", mostBody)+`"}`)
	if a.StatusCode != http.StatusRequestEntityTooLarge {
		t.Error(a.Status)
	}
}
