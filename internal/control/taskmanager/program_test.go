package taskmanager

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/flott-dev/flott/internal/control/blob"
)

// The test's own executable is the TaskManager that is killed.
func TestMain(m *testing.M) {
	if folder := os.Getenv("TEST_TASKMANAGER"); folder != "" {
		doomed(folder)
	}
	goleak.VerifyTestMain(m)
}

// program is the executable of workers. It is built without the race detector, which takes more memory than a worker may have.
var program = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "worker")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // the system clears up behind it
	file := filepath.Join(folder, "worker")
	if said, err := exec.Command("go", "build", "-o", file, "./testdata/worker").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, said)
	}
	return os.ReadFile(file)
})

// executable is a store with the program of workers in it.
func executable(t *testing.T, folder string) (*blob.Store, blob.Hash) {
	t.Helper()
	text, err := program()
	check(t, err)
	s, err := blob.Open(folder, blob.Limits{})
	check(t, err)
	h := sha256.Sum256(text)
	_, err = s.Put(t.Context(), h, 0, int64(len(text)), bytes.NewReader(text))
	check(t, err)
	return s, h
}

// doomed is the TaskManager that is killed: it runs a worker, and prints its pid.
func doomed(folder string) {
	s, err := blob.Open(filepath.Join(folder, "blobs"), blob.Limits{})
	if err != nil {
		panic(err)
	}
	hash, err := hex.DecodeString(os.Getenv("TEST_HASH"))
	if err != nil {
		panic(err)
	}
	h := &host{resources: newResources(), hash: blob.Hash(hash)}
	go func() { // ends with the process
		h.TaskManager = <-h.registered
		h.run("w", "wait")
		fmt.Println(h.line("w"))
	}()
	panic(Run(context.Background(), h.resources, options(folder, s)))
}
