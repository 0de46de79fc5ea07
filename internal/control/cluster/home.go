package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/blob"
	"github.com/flott-dev/flott/internal/control/logbook"
	"github.com/flott-dev/flott/internal/control/process"
)

// A home is what a JobManager or TaskManager has on disk:
//
//	IO_TMP_DIRS/flott-UID/taskmanager-0/        nobody else's as long as lock is locked
//	                                   lock
//	                                   blobs/   executables
//	                                   workers/ what workers have while they run
//	                                   log/     or ENV_LOG_DIR/taskmanager-0/
//
// A process takes the first number that is free, so that one that was killed leaves nothing behind that would not be used again.
type home struct {
	kind   string // "jobmanager"
	folder string
	lock   *os.File
	logs   string // folder
	file   *process.LogFile
	log    *slog.Logger
	book   *logbook.Book // its newest lines
}

// openHome takes a folder for a process, and opens its log.
func openHome(s *config.Settings, kind string) (*home, error) {
	// A disk that has no room, or a terminal that is gone, is an error of who writes, and not the end of the process.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGXFSZ, syscall.SIGPIPE)
	parent, err := Folder(s)
	if err != nil {
		return nil, err
	}
	h := &home{kind: kind}
	if err := h.take(parent); err != nil {
		return nil, err
	}
	h.logs = filepath.Join(h.folder, "log")
	if logs := s.Text("env.log.dir"); logs != "" {
		h.logs = filepath.Join(logs, filepath.Base(h.folder))
	}
	if err := h.openLog(); err != nil {
		return nil, errors.Join(err, h.lock.Close())
	}
	return h, nil
}

// Folder is that of this user's processes. Others may write to the one that it is in, but what is run from here is ours only.
func Folder(s *config.Settings) (string, error) {
	temporary := s.Text("io.tmp.dirs")
	if temporary == "" {
		temporary = os.TempDir()
	}
	temporary, err := filepath.Abs(temporary) // workers run elsewhere
	if err != nil {
		return "", err
	}
	folder := filepath.Join(temporary, "flott-"+strconv.Itoa(os.Getuid()))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("io.tmp.dirs: %w", err)
	}
	info, err := os.Lstat(folder)
	if err != nil {
		return "", err
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); !ok || !info.IsDir() || info.Mode().Perm()&0o077 != 0 || int(owner.Uid) != os.Getuid() {
		return "", fmt.Errorf("io.tmp.dirs: %s must be a folder that belongs to this user, and that no other one may read", folder)
	}
	return folder, nil
}

// mostHomes is how many processes of a kind may run for one user and io.tmp.dirs.
const mostHomes = 1000

// take locks the first folder that nobody has.
func (h *home) take(parent string) error {
	for n := range mostHomes {
		folder := filepath.Join(parent, h.kind+"-"+strconv.Itoa(n))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
		lock, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			h.folder, h.lock = folder, lock
			return nil
		}
		_ = lock.Close() // nothing was written
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return fmt.Errorf("%s cannot be locked: %w", folder, err)
		}
	}
	return fmt.Errorf("in %s all %d folders are taken", parent, mostHomes)
}

// openLog lets the process log to stderr and to a file, which also gets the stacks when it crashes.
func (h *home) openLog() (err error) {
	if err := os.MkdirAll(h.logs, 0o700); err != nil {
		return fmt.Errorf("log file: %w", err)
	}
	if err := setAside(h.logs, h.logFile()); err != nil {
		return fmt.Errorf("log file: %w", err)
	}
	if h.file, err = process.NewLogFile(filepath.Join(h.logs, h.logFile())); err != nil {
		return fmt.Errorf("log file: %w", err)
	}
	h.book = logbook.New()
	h.log = slog.New(slog.NewMultiHandler(slog.NewTextHandler(h.file, nil), slog.NewTextHandler(os.Stderr, nil), h.book.Handler()))
	return h.file.TakeCrash()
}

// setAside gives the log of the process that had the folder before another name. A log is of one process; why the last one ended may
// stand in its own.
func setAside(folder, log string) error {
	for _, name := range []string{log, log + process.Old} {
		aside := filepath.Join(folder, name+".previous")
		if err := os.Remove(aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.Rename(filepath.Join(folder, name), aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (h *home) logFile() string { return h.kind + ".log" }

// self is this process, whose logs are here.
func (h *home) self(name string) *process.Self {
	return process.New(name, process.Options{Version: Version(), LogDir: h.logs, LogFile: h.logFile()})
}

// blobs is the store of executables.
func (h *home) blobs(s *config.Settings) (*blob.Store, error) {
	return blob.Open(filepath.Join(h.folder, "blobs"), blob.Limits{Bytes: s.Bytes("blob.storage.size"), Age: s.Duration("blob.storage.age")})
}

// workers is the folder for those of workers.
func (h *home) workers() string { return filepath.Join(h.folder, "workers") }

// close lets the folder go, for the next process.
func (h *home) close() error { return errors.Join(h.file.Close(), h.lock.Close()) }
