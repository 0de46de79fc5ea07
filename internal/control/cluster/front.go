package cluster

import (
	"net/http"
	"strings"

	"github.com/flott-dev/flott/internal/control/blob"
	"github.com/flott-dev/flott/internal/control/rest"
	"github.com/flott-dev/flott/internal/control/security"
)

// A front is what the JobManager serves by HTTP: REST, and executables for TaskManagers.
type front struct {
	api      *rest.Server
	blobs    *blob.Store
	security security.Config
}

// ServeHTTP serves.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet || !strings.HasPrefix(r.URL.Path, blob.Path):
		f.api.ServeHTTP(w, r)
	case !f.ours(r):
		http.Error(w, "only TaskManagers of this cluster get executables", http.StatusUnauthorized)
	default:
		f.blobs.ServeHTTP(w, r)
	}
}

// ours says that a process of the cluster asks, and not a client, who has the token but no certificate.
func (f *front) ours(r *http.Request) bool {
	return security.SameToken(r.Header.Get("Authorization"), authorization(f.security.Token)) && (r.TLS == nil || len(r.TLS.VerifiedChains) > 0)
}

// authorization is the header that shows a token.
func authorization(token string) string {
	if token == "" {
		return ""
	}
	return "Bearer " + token
}
