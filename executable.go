package flott

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/view"
)

// upload sends the program, unless the cluster has it.
func upload(ctx context.Context, to *client.Client) (view.Hash, error) {
	if err := runsOn(ctx, to); err != nil {
		return view.Hash{}, err
	}
	p, err := ownProgram()
	if err != nil {
		return p.hash, err
	}
	file, err := os.Open(p.path)
	if err != nil {
		return p.hash, err
	}
	return p.hash, errors.Join(to.Upload(ctx, p.hash, p.size, file), file.Close())
}

// runsOn asks whether a cluster can run this program.
func runsOn(ctx context.Context, to *client.Client) error {
	there, err := to.Platform(ctx)
	if err != nil || there.OS == runtime.GOOS && there.Arch == runtime.GOARCH || os.Getenv(builtFor) != "" {
		return err
	}
	return fmt.Errorf("the cluster runs on %s/%s, and this program is for %s/%s: start it with \"flott run DIR\", or name a binary for the cluster by %s",
		there.OS, there.Arch, runtime.GOOS, runtime.GOARCH, builtFor)
}

// builtFor names the program as it was built for the cluster.
const builtFor = "FLOTT_BINARY"

// An executable is a file that a cluster can run.
type executable struct {
	path string
	hash view.Hash
	size int64
}

// ownProgram is this program, built for the cluster.
var ownProgram = sync.OnceValues(func() (p executable, err error) {
	if p.path = os.Getenv(builtFor); p.path == "" {
		if p.path, err = os.Executable(); err != nil {
			return p, err
		}
	}
	file, err := os.Open(p.path)
	if err != nil {
		return p, err
	}
	sum := sha256.New()
	p.size, err = io.Copy(sum, file)
	p.hash = view.Hash(sum.Sum(nil))
	return p, errors.Join(err, file.Close())
})
