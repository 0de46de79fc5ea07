//go:build !linux

package taskmanager

import (
	"os"
	"syscall"
	"time"
)

// supported: there are no TaskManagers here, only what it takes to build programs that run embedded.
const supported = false

func ownGroup() *syscall.SysProcAttr      { return nil }
func killGroup(*os.Process)               {}
func awaitExit(*os.Process)               {}
func limitMemory(*os.Process, int64)      {}
func uses(int) (_ int64, _ time.Duration) { return 0, 0 }
