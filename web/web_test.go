package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

// The whole page goes over the wire once, and then stays with the browser.
func TestPageIsSmall(t *testing.T) {
	const most = 200_000
	sum := 0
	for name, f := range Page().files {
		switch {
		case name == "/", strings.HasSuffix(name, ".txt"): // the same again, and what nobody loads
		case f.zipped != nil:
			sum += len(f.zipped)
		default:
			sum += len(f.plain)
		}
	}
	if sum > most {
		t.Errorf("the page is %d bytes, over %d", sum, most)
	}
	t.Logf("%d bytes", sum)
}

// Whatever the page names stands beside it, and nothing in it stands in the page itself, which its policy would refuse.
func TestPageNamesOwnFiles(t *testing.T) {
	site := Page()
	names := regexp.MustCompile(`(?:src|href)="([^"]*)"|url\(["']?([^"')]*)`)
	found := 0
	for name, f := range site.files {
		if ext := path.Ext(name); ext != ".html" && ext != ".css" {
			continue
		}
		for _, m := range names.FindAllStringSubmatch(string(f.plain), -1) {
			found++
			link := m[1] + m[2]
			if strings.HasPrefix(link, "/") || site.files[path.Join(path.Dir(name), link)] == nil {
				t.Errorf("%s names %q", name, link)
			}
		}
		for _, inside := range []string{"<style", " style=", " onclick=", "<script>"} {
			if strings.Contains(string(f.plain), inside) {
				t.Errorf("%s has %s in it", name, inside)
			}
		}
	}
	if found < 4 {
		t.Errorf("only %d names: where are script, style sheet and fonts?", found)
	}
}

// A browser keeps for ever what it has once, so another content must have another name.
func TestFilesThatAreKeptHaveAHash(t *testing.T) {
	hashed := regexp.MustCompile(`^/assets/[a-z0-9-]+-[A-Z0-9]{8}\.[a-z0-9]+$`)
	for name, f := range Page().files {
		if f.forever != hashed.MatchString(name) {
			t.Errorf("%s: kept for ever is %t", name, f.forever)
		}
	}
}

func TestServe(t *testing.T) {
	text := strings.Repeat("flott ", 100)
	s, err := open(fstest.MapFS{"index.html": {Data: []byte(text)}, "assets/a-1.woff2": {Data: []byte("font")}})
	if err != nil {
		t.Fatal(err)
	}
	const kept = "public, max-age=31536000, immutable"
	for name, test := range map[string]struct {
		method, path, accept string
		want                 string // media, encoding, cache control, body
	}{
		"page":            {"GET", "/", "", "text/html; charset=utf-8||no-cache|" + text},
		"by its name":     {"GET", "/index.html", "br, gzip", "text/html; charset=utf-8|gzip|no-cache|" + text},
		"gzip is refused": {"GET", "/", "gzip;q=0", "text/html; charset=utf-8||no-cache|" + text},
		"head":            {"HEAD", "/", "", "text/html; charset=utf-8||no-cache|"},
		"font":            {"GET", "/assets/a-1.woff2", "gzip", "font/woff2||" + kept + "|font"},
	} {
		t.Run(name, func(t *testing.T) {
			a, served := ask(s, test.method, test.path, "Accept-Encoding", test.accept)
			h := a.Header()
			if got := h.Get("Content-Type") + "|" + h.Get("Content-Encoding") + "|" + h.Get("Cache-Control") + "|" + unzipped(t, a); !served || got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if h.Get("Content-Security-Policy") != "default-src 'self'" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("X-Frame-Options") != "DENY" {
				t.Errorf("it is not protected: %v", h)
			}
		})
	}
}

func TestServeNothing(t *testing.T) {
	for _, r := range [][2]string{{"GET", "/jobs"}, {"POST", "/"}, {"GET", "/../web.go"}, {"GET", "/assets"}} {
		if a, served := ask(Page(), r[0], r[1], "", ""); served || a.Body.Len() > 0 || len(a.Header()) > 0 {
			t.Errorf("%v is answered", r)
		}
	}
}

// What a browser has already is not sent again; what it has of an older flott, or in another encoding, is.
func TestServeAgain(t *testing.T) {
	plain, _ := ask(Page(), "GET", "/", "", "")
	zipped, _ := ask(Page(), "GET", "/", "Accept-Encoding", "gzip")
	for tag, want := range map[string]int{plain.Header().Get("ETag"): 304, zipped.Header().Get("ETag"): 200, `"older"`: 200} {
		if a, _ := ask(Page(), "GET", "/", "If-None-Match", tag); a.Code != want {
			t.Errorf("with %s: %d, want %d", tag, a.Code, want)
		}
	}
}

func ask(s *Site, method, path, name, value string) (*httptest.ResponseRecorder, bool) {
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path = path
	if name != "" {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	served := s.Serve(w, r)
	return w, served
}

func unzipped(t *testing.T, a *httptest.ResponseRecorder) string {
	t.Helper()
	if a.Header().Get("Content-Encoding") == "" {
		return a.Body.String()
	}
	z, err := gzip.NewReader(bytes.NewReader(a.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

func TestEveryFileHasAType(t *testing.T) {
	for name, f := range Page().files {
		if f.media == "" {
			t.Errorf("%s has no media type", name)
		}
	}
}
