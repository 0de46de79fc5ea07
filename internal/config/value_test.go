package config

import (
	"strings"
	"testing"
	"time"
)

// Every default of a cluster is a value that its key can have.
func TestDefaults(t *testing.T) {
	for _, k := range Keys {
		if k.Scope&Cluster == 0 || k.fallback() == "" {
			continue
		}
		if err := k.Kind(k.fallback()); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
	s := Read("", nil)
	if s.Text("rest.address") != "127.0.0.1" || s.Number("rest.port") != 8081 || s.Bytes("blob.storage.size") != 8<<30 || s.Bytes("taskmanager.memory.process.size") != 0 ||
		s.Duration("slot.request.timeout") != 5*time.Minute || s.Factor("restart-strategy.exponential-delay.jitter-factor") != 0.1 {
		t.Error("defaults are others")
	}
}

// Flags win over variables. What is wrong is told, all of it, and does not count.
func TestFlags(t *testing.T) {
	s := Read("", []string{"FLOTT_REST_PORT=1", "FLOTT_BLOB_STORAGE_SIZE=none"})
	s.Set("the flag -D", "rest.port", "2")
	s.Set("the flag --slots", "taskmanager.numberOfTaskSlots", "0")
	s.Set("the flag -D", "rest.prot", "3")
	if s.Number("rest.port") != 2 || s.Number("taskmanager.numberOfTaskSlots") != 1 || s.Bytes("blob.storage.size") != 8<<30 {
		t.Errorf("%+v", s.Found)
	}
	err := s.Err()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`blob.storage.size in the environment variable FLOTT_BLOB_STORAGE_SIZE: "none" is not a size`,
		"taskmanager.numberOfTaskSlots in the flag --slots: it is 0; it must be at least 1",
		`rest.prot ("3") in the flag -D is no setting; the nearest one is rest.port`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	s := Read("", []string{"FLOTT_SECURITY_TOKEN=hush"})
	for _, k := range Keys {
		if shown := s.Shown(k); shown.Value == "hush" || k.Name == "security.token" && shown.Value != mask {
			t.Errorf("%+v", shown)
		}
	}
	if s.Text("security.token") != "hush" {
		t.Error("the token is another one")
	}
	for _, k := range Keys {
		if shown := Read("", nil).Shown(k); shown.Value == mask {
			t.Errorf("%s is not set, and looks as if it were", k.Name)
		}
	}
}
