package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// An Error is the server's answer that something cannot be done.
type Error struct {
	Status int
	Errors []string // as the server says it
}

// javaName is the class name that Flink's clients look for in front of an error's text.
var javaName = regexp.MustCompile(`^(org|java)\.[\w.$]+: `)

// Error is the text for people.
func (e *Error) Error() string {
	var all []string
	for _, text := range e.Errors {
		text = strings.TrimPrefix(text, "<Exception on server side:\n")
		text = strings.TrimSuffix(text, "\n\nEnd of exception on server side>")
		all = append(all, strings.TrimSuffix(javaName.ReplaceAllString(text, ""), "."))
	}
	what := strings.Join(all, ": ")
	switch {
	case what == "":
		return "the server says " + http.StatusText(e.Status)
	case e.Status == http.StatusUnauthorized:
		return "the cluster wants its token: give the one that it was started with, by security.token in flott.yaml or FLOTT_SECURITY_TOKEN"
	case e.Status == http.StatusBadRequest && strings.Contains(what, "HTTPS server"): // as net/http says it
		return "the cluster wants TLS: " + certificates
	}
	return what
}

const certificates = "give the files that its processes have, by security.tls.ca, security.tls.certificate and security.tls.key"

// mostError is how much of an error is read.
const mostError = 64 << 10

// errorOf reads an answer that is an error.
func errorOf(a *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(a.Body, mostError))
	if err != nil && len(text) == 0 {
		return &Error{Status: a.StatusCode}
	}
	var body struct {
		Errors []string `json:"errors"`
	}
	if json.Unmarshal(text, &body) == nil {
		return &Error{a.StatusCode, body.Errors}
	}
	plain := strings.TrimSpace(string(text))
	if isPage(a, text) {
		plain = (&stranger{a.Request.URL.Host, "a web page (" + a.Status + ")"}).Error()
	} else if len(plain) > mostPlain {
		plain = strings.ToValidUTF8(plain[:mostPlain], "") + "..."
	}
	return &Error{a.StatusCode, []string{plain}}
}

// mostPlain is how much is shown of a text that is not a JobManager's.
const mostPlain = 300

// isPage says that an answer is for a browser.
func isPage(a *http.Response, text []byte) bool {
	return strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") || bytes.HasPrefix(bytes.TrimSpace(text), []byte("<"))
}

// A stranger answers where a JobManager's REST API was looked for.
type stranger struct{ address, said string }

// Error says what to look for.
func (s *stranger) Error() string {
	return fmt.Sprintf("%s is no JobManager's REST API: it answers with %s; give the address of one, that of rest.address and rest.port, by -m HOST:PORT or FLOTT_JOBMANAGER", s.address, s.said)
}

// Unreachable is the error when nobody answers, or an answer was cut off.
type Unreachable struct {
	Address string
	Met     bool // it has answered before
	Err     error
}

// Error says what to do about it.
func (u *Unreachable) Error() string {
	var mistrust *tls.CertificateVerificationError
	var other x509.HostnameError
	switch {
	case u.Met:
		return fmt.Sprintf("the connection to the cluster at %s is lost: %v", u.Address, u.Err)
	case errors.As(u.Err, &other):
		return fmt.Sprintf("the certificate of the cluster at %s is not for this host: %v: reach it by one that it is for, with -m, FLOTT_JOBMANAGER or rest.address, or give the JobManager a certificate that has %s, too (flott certificates DIR HOST...)", u.Address, other, other.Host)
	case errors.As(u.Err, &mistrust):
		return fmt.Sprintf("the certificate of the cluster at %s is not to be trusted: %v: %s", u.Address, mistrust.Err, certificates)
	}
	return fmt.Sprintf("no cluster answers at %s: %v: start one with \"flott cluster start\", or say where it is with -m HOST:PORT or FLOTT_JOBMANAGER", u.Address, u.Err)
}

// Unwrap is the error of the connection.
func (u *Unreachable) Unwrap() error { return u.Err }

// lost is the error of a connection, or that of the one who has given up.
func (c *Client) lost(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // the address is said already
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	if !c.met.Load() && !errors.Is(err, errSilent) && (strings.Contains(err.Error(), "malformed HTTP") || speaksFirst(c.base)) { // net/http has no type for it
		return &stranger{strings.TrimPrefix(c.base, "http://"), "something else than HTTP, as the port jobmanager.rpc.port does"}
	}
	return &Unreachable{c.base, c.met.Load(), err}
}

// speaksFirst says that who listens at an address speaks before it is asked, as no server of HTTP does, but one of gRPC: it begins
// with its settings. net/http takes that for one of many errors, whichever of its loops is the first to see it; so look once more.
func speaksFirst(base string) bool {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" { // by TLS the client speaks first
		return false
	}
	conn, err := net.DialTimeout("tcp", u.Host, firstWord)
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetReadDeadline(time.Now().Add(firstWord))
	n, _ := conn.Read(make([]byte, 1))
	return n > 0
}

// firstWord is how long one who speaks first may take to begin: long, as its machine may be busy, and only who is silent is waited for.
const firstWord = 5 * time.Second
