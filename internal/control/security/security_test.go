package security

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLoopbackNeedsNothing(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:1": true, "localhost:1": true, "[::1]:1": true, "127.8.8.8:1": true,
		":1": false, "0.0.0.0:1": false, "[::]:1": false, "192.168.0.1:1": false, "localhost.example:1": false, "127.0.0.1": false,
	} {
		if err := (Config{}).Check(address); (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestBeyondLoopbackNeedsTokenAndTLS(t *testing.T) {
	for name, c := range map[string]Config{"token": {Token: "t"}, "TLS": {CA: "a", Certificate: "b", Key: "c"}} {
		if err := c.Check("0.0.0.0:1"); err == nil {
			t.Errorf("%s alone is enough", name)
		}
	}
	if err := (Config{Token: "t", CA: "a", Certificate: "b", Key: "c"}).Check("0.0.0.0:1"); err != nil {
		t.Error(err)
	}
}

func TestFilesThatAreNoCertificates(t *testing.T) {
	a, err := NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	good, err := a.Issue(dir, "localhost", "10.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	junk := filepath.Join(dir, "junk.pem")
	if err := os.WriteFile(junk, []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := good.Server(); err != nil || s == nil {
		t.Errorf("%v, %v", s, err)
	}
	for want, c := range map[string]Config{
		"three files":    {CA: good.CA},
		"junk.pem has":   {CA: junk, Certificate: good.Certificate, Key: good.Key},
		"failed to find": {CA: good.CA, Certificate: junk, Key: good.Key},
		"security.tls.ca: open " + good.CA + "x: no such file": {CA: good.CA + "x", Certificate: good.Certificate, Key: good.Key},
		"security.tls.certificate: read " + dir + ": ":         {CA: good.CA, Certificate: dir, Key: good.Key},
		"security.tls.key: open " + good.Key + "x: ":           {CA: good.CA, Certificate: good.Certificate, Key: good.Key + "x"},
	} {
		if _, err := c.Client(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if _, err := c.Server(); err == nil {
			t.Errorf("no error, want %s", want)
		}
	}
	if info, err := os.Stat(good.Key); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key: %v, %v", info.Mode(), err)
	}
}

func TestSameToken(t *testing.T) {
	if !SameToken("a", "a") || SameToken("a", "b") || SameToken("a", "") {
		t.Error("tokens are compared wrongly")
	}
}
