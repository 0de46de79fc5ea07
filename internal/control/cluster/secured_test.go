package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/security"
	"github.com/flott-dev/flott/internal/control/transport"
	"github.com/flott-dev/flott/internal/control/view"
)

// secured are settings of a cluster with a token and TLS.
func secured(t *testing.T) *config.Settings {
	t.Helper()
	a, err := security.NewAuthority()
	check(t, err)
	dir := t.TempDir()
	c, err := a.Issue(dir, "127.0.0.1")
	check(t, err)
	s := settings(dir)
	for key, value := range map[string]string{
		"security.token": "hush", "security.tls.ca": c.CA, "security.tls.certificate": c.Certificate, "security.tls.key": c.Key,
	} {
		s.Set("test", key, value)
	}
	return s
}

func TestSecuredJob(t *testing.T) {
	s := secured(t)
	startJobManager(t, s)
	startTaskManager(t, s)
	c := newClient(t, s)
	if r := submit(t, c, upload(t, c), 1, 1); r.State != view.Finished {
		t.Errorf("%+v", r)
	}
	wantsOutput(t, c)
}

// with is settings with one more.
func with(s *config.Settings, key, value string) *config.Settings {
	more := &config.Settings{Found: append([]config.Setting(nil), s.Found...)}
	more.Set("test", key, value)
	return more
}

func TestStrangersDoNotJoin(t *testing.T) {
	s := secured(t)
	startJobManager(t, s)
	other := secured(t)
	for _, key := range []string{"rest.port", "jobmanager.rpc.port"} {
		other.Set("test", key, s.Text(key))
	}
	for name, c := range map[string]struct {
		settings *config.Settings
		want     string
	}{
		"another token":     {with(s, "security.token", "loud"), "the token is not the cluster's"},
		"another authority": {other, "the certificate of the JobManager is not trusted"},
	} {
		err := RunTaskManager(t.Context(), c.settings, func() { t.Errorf("%s: it joins", name) })
		if refusal := (*transport.Refusal)(nil); !errors.As(err, &refusal) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestExecutablesAreForTaskManagers asks for one as different people do.
func TestExecutablesAreForTaskManagers(t *testing.T) {
	s := secured(t)
	startJobManager(t, s)
	hash := upload(t, newClient(t, s))
	ours, err := security.From(s).Client()
	check(t, err)
	stranger := ours.Clone()
	stranger.Certificates = nil
	for name, c := range map[string]struct {
		tls   *tls.Config
		token string
		want  int
	}{
		"a TaskManager": {ours, "hush", http.StatusOK},
		"a client":      {stranger, "hush", http.StatusUnauthorized},
		"no token":      {ours, "", http.StatusUnauthorized},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+address(s, "rest.address", "rest.port")+"/flott/blobs/"+hash.String(), nil)
		check(t, err)
		r.Header.Set("Authorization", authorization(c.token))
		transport := &http.Transport{TLSClientConfig: c.tls}
		defer transport.CloseIdleConnections()
		a, err := (&http.Client{Transport: transport}).Do(r)
		check(t, err)
		_, err = io.Copy(io.Discard, a.Body)
		check(t, errors.Join(err, a.Body.Close()))
		if a.StatusCode != c.want {
			t.Errorf("%s: %s", name, a.Status)
		}
	}
}

// What other machines can reach does not start unless it is secured.
func TestBeyondThisMachine(t *testing.T) {
	jobManager := func(ctx context.Context, s *config.Settings) error {
		return RunJobManager(ctx, s, func(net.Addr, net.Addr) { t.Error("it starts") })
	}
	taskManager := func(ctx context.Context, s *config.Settings) error {
		return RunTaskManager(ctx, s, func() { t.Error("it starts") })
	}
	for key, run := range map[string]func(context.Context, *config.Settings) error{
		"rest.bind-address": jobManager, "jobmanager.bind-host": jobManager, "taskmanager.bind-host": taskManager,
	} {
		err := run(t.Context(), with(settings(t.TempDir()), key, "0.0.0.0"))
		if err == nil || !strings.Contains(err.Error(), key+`: other machines can reach "0.0.0.0": set security.token`) {
			t.Errorf("%s: %v", key, err)
		}
	}
	both := with(with(settings(t.TempDir()), "rest.bind-address", ""), "jobmanager.bind-host", "::")
	if err := jobManager(t.Context(), both); err == nil || !strings.Contains(err.Error(), "rest.bind-address") || !strings.Contains(err.Error(), "jobmanager.bind-host") {
		t.Errorf("of two problems it tells %v", err)
	}
}

func TestClusterOfAnotherName(t *testing.T) {
	s := secured(t)
	startJobManager(t, s)
	_, err := newClient(t, with(s, "rest.address", "localhost")).TaskManagers(t.Context())
	if err == nil || !strings.Contains(err.Error(), "is not for this host: x509: certificate is not valid for any names, but wanted to match localhost: reach it by one that it is for, with -m") {
		t.Errorf("%v", err)
	}
}

// Others could not trust a TaskManager by this name.
func TestHostThatIsNotInTheCertificate(t *testing.T) {
	err := RunTaskManager(t.Context(), with(secured(t), "taskmanager.host", "elsewhere.invalid"), func() { t.Error("it starts") })
	if err == nil || !strings.Contains(err.Error(), "taskmanager.host: security.tls.certificate") || !strings.Contains(err.Error(), "elsewhere.invalid") {
		t.Errorf("%v", err)
	}
}

func TestHostThatNobodyKnows(t *testing.T) {
	var log strings.Builder
	s := with(settings(t.TempDir()), "taskmanager.host", "elsewhere.invalid")
	check(t, checkHost(t.Context(), s, slog.New(slog.NewTextHandler(&log, nil))))
	if !strings.Contains(log.String(), "host=elsewhere.invalid") {
		t.Errorf("the log is %q", log.String())
	}
}

func TestCertificatesThatAreMissing(t *testing.T) {
	s := with(settings(t.TempDir()), "security.tls.ca", "nowhere.pem")
	for name, err := range map[string]error{
		"JobManager":  RunJobManager(t.Context(), s, func(net.Addr, net.Addr) { t.Error("it starts") }),
		"TaskManager": RunTaskManager(t.Context(), s, func() { t.Error("it starts") }),
	} {
		if err == nil || !strings.Contains(err.Error(), "TLS needs three files") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A TaskManager is called by the name of its machine where others can reach it, unless it has another one.
func TestHostOfATaskManager(t *testing.T) {
	name, err := os.Hostname()
	check(t, err)
	for _, c := range []struct{ host, listens, want string }{
		{"", "127.0.0.1", "127.0.0.1"}, {"", "0.0.0.0", name}, {"tm.example", "0.0.0.0", "tm.example"}, {"tm.example", "127.0.0.1", "tm.example"},
	} {
		s := with(with(settings(t.TempDir()), "taskmanager.host", c.host), "taskmanager.bind-host", c.listens)
		if got := ownHost(s); got != c.want {
			t.Errorf("%+v is called %s", c, got)
		}
	}
}

func TestPortsThatAreTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	defer func() { check(t, l.Close()) }()
	for _, key := range []string{"rest.port", "jobmanager.rpc.port"} {
		err := RunJobManager(t.Context(), with(settings(t.TempDir()), key, portOf(l.Addr())), func(net.Addr, net.Addr) { t.Error("it starts") })
		if err == nil || !strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "in use: another process has this port; set another one, or 0, which takes a free one") {
			t.Errorf("%s: %v", key, err)
		}
	}
}
