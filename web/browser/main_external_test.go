//go:build external

package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// chromium is the browser that all tests share, each with tabs of its own.
var chromium context.Context

// programs are what tests run, built once.
var programs struct{ flott, jobs string }

func TestMain(m *testing.M) {
	status, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(status)
}

func run(m *testing.M) (status int, err error) {
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	programs.flott, programs.jobs = filepath.Join(dir, "flott"), filepath.Join(dir, "jobs")
	for program, source := range map[string]string{programs.flott: "github.com/flott-dev/flott/cmd/flott", programs.jobs: "./jobs"} {
		if out, err := exec.Command("go", "build", "-trimpath", "-o", program, source).CombinedOutput(); err != nil {
			return 0, fmt.Errorf("building %s: %w\n%s", source, err, out)
		}
	}
	stop, err := startChromium()
	if err != nil {
		return 0, err
	}
	defer stop()
	return m.Run(), nil
}

// startChromium starts a browser that asks nobody but the pages' servers, and looks the same on every machine.
func startChromium() (stop func(), err error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, fmt.Errorf("these tests need chromium: %w", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)
	for _, flag := range []string{"disable-quic", "disable-component-update", "disable-domain-reliability"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	options = append(options, chromedp.Flag("font-render-hinting", "none"))
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	stop = func() {
		cancel()
		end()
	}
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, err
	}
	chromium = ctx
	return stop, nil
}
