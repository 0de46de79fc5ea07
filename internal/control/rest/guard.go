package rest

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// # Who may ask
//
// A page of another site that is open in somebody's browser can send requests to a server on that person's machine. It must neither
// change something nor, where there is a token, read anything. A browser says where a request comes from; Flink's command line and
// curl say nothing, and are served.
//
// A site can also point its own name at 127.0.0.1, and its requests then look like our own page's. Without a token that name is what
// gives it away: we are asked for by address, or as localhost.

// admit answers requests that are not to be served, and says whether to go on.
func (s *Server) admit(w http.ResponseWriter, r, bare *http.Request, pattern string) bool {
	changes := r.Method != http.MethodGet && r.Method != http.MethodHead || changing[pattern]
	switch {
	case s.options.Token != "" && !s.authorized(r):
		w.Header().Set("WWW-Authenticate", "Bearer")
		s.fail(w, r, &failure{http.StatusUnauthorized, []string{"This server wants its token: Authorization: Bearer TOKEN."}}, false)
	case changes && s.foreign(r):
		s.fail(w, r, &failure{http.StatusForbidden, []string{"A page of another site must not change anything here."}}, false)
	case changes && s.options.ReadOnly && fromBrowser(r):
		s.fail(w, r, &failure{http.StatusForbidden, []string{"web.read-only is set: pages only show here, and change nothing."}}, false)
	default:
		return true
	}
	return false
}

// changing is the patterns of GET endpoints that change something.
var changing = map[string]bool{}

// authorized compares hashes, so that the time it takes says nothing about the token.
func (s *Server) authorized(r *http.Request) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.options.Token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// foreign says that a browser sent the request for a page of another site.
func (s *Server) foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
	default:
		return true
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host != r.Host || s.options.Token == "" && !local(u.Hostname())
}

// fromBrowser says that a page sent the request, or somebody's address bar.
func fromBrowser(r *http.Request) bool {
	return r.Header.Get("Sec-Fetch-Site") != "" || r.Header.Get("Origin") != ""
}

// local says that a host is named by its address, or is this machine.
func local(host string) bool {
	return host == "localhost" || net.ParseIP(host) != nil
}
