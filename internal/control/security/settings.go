package security

import (
	"path/filepath"

	"github.com/flott-dev/flott/internal/config"
)

// From is what settings say. Paths become absolute: workers, who get them too, run in other folders.
func From(s *config.Settings) Config {
	return Config{
		Token: s.Text("security.token"),
		CA:    absolute(s.Text("security.tls.ca")), Certificate: absolute(s.Text("security.tls.certificate")), Key: absolute(s.Text("security.tls.key")),
	}
}

func absolute(path string) string {
	if path == "" {
		return ""
	}
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}
