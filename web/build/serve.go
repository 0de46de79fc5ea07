package main

import (
	"bytes"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"
)

// A preview serves the page as its sources are now, and asks a JobManager for the rest.
type preview struct {
	web string
	api http.Handler
	mu  struct {
		sync.Mutex
		files map[string][]byte
	}
}

func serve(at, api, web string) error {
	to, err := url.Parse(api)
	if err != nil {
		return err
	}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Header.Del("Origin")         // which is this server's
		r.Out.Header.Del("Sec-Fetch-Site") // and would be foreign there
	}}
	log.Printf("http://%s", at)
	server := &http.Server{Addr: at, Handler: &preview{web: web, api: proxy}, ReadHeaderTimeout: time.Minute}
	return server.ListenAndServe()
}

func (p *preview) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
		if err := p.build(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	p.mu.Lock()
	content, ok := p.mu.files[name]
	p.mu.Unlock()
	if !ok {
		p.api.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Security-Policy", "default-src 'self'")
	w.Header().Set("Cache-Control", "no-store")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}

func (p *preview) build() error {
	files, err := bundle(p.web)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mu.files = files
	return nil
}
