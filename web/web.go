// Package web is the page: what a browser shows of a running flott. Its sources are in src; what is served is dist, which package
// web/build makes of them and which is committed, so that a program with flott in it needs no step to build.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

//go:generate go run -C build .

//go:embed all:dist
var dist embed.FS

// A Site is the files of the page. All their links are relative, so that it may stand below any path.
type Site struct{ files map[string]*file }

// Page is the site.
func Page() *Site { return page() }

// page is made when it is first asked for.
var page = sync.OnceValue(func() *Site {
	root, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // only of a name that is none
	}
	s, err := open(root)
	if err != nil {
		panic(err) // the files are in the program
	}
	return s
})

func open(root fs.FS) (*Site, error) {
	s := &Site{map[string]*file{}}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(root, name)
		s.files["/"+name] = newFile(name, content)
		return err
	})
	s.files["/"] = s.files["/index.html"]
	return s, err
}

// Serve answers a request for a file of the page; false: there is none, and nothing was answered.
func (s *Site) Serve(w http.ResponseWriter, r *http.Request) bool {
	f := s.files[r.URL.Path]
	if f == nil || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	protect(w.Header())
	f.serve(w, r)
	return true
}

// protect lets the page load from its own origin only, and nobody put it into a frame, where clicks could be led astray.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'self'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
}

// A file is in memory as it goes over the wire.
type file struct {
	media, hash   string
	plain, zipped []byte // zipped is nil where that saves nothing
	forever       bool
}

// hashed is the folder of files with a hash of their contents in their names: one that a browser has is never out of date.
const hashed = "assets/"

func newFile(name string, content []byte) *file {
	sum := sha256.Sum256(content)
	return &file{
		media: media[path.Ext(name)], hash: base64.RawURLEncoding.EncodeToString(sum[:12]),
		plain: content, zipped: zip(content), forever: strings.HasPrefix(name, hashed),
	}
}

// media are the types of the page's files. Package mime would ask the machine, and what that says of scripts is not always true; a
// browser that was told not to guess would then run none.
var media = map[string]string{
	".css":   "text/css; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".woff2": "font/woff2",
}

// zip is nil for what is compressed already.
func zip(content []byte) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // only of a level that is none
	}
	_, _ = z.Write(content) // a buffer takes everything
	_ = z.Close()
	if b.Len() > len(content)*9/10 {
		return nil
	}
	return b.Bytes()
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h, content, tag := w.Header(), f.plain, f.hash
	h.Set("Content-Type", f.media)
	h.Set("Cache-Control", "no-cache")
	if f.forever {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	h.Add("Vary", "Accept-Encoding")
	if f.zipped != nil && takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		content, tag = f.zipped, tag+"-gzip"
	}
	h.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// takesGzip is false for "gzip;q=0", and for whatever else has a q of its own: the plain file is never wrong.
func takesGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		if strings.TrimSpace(part) == "gzip" {
			return true
		}
	}
	return false
}
