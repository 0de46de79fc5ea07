package taskmanager

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// supported says that this file has what its functions say.
const supported = true

// ownGroup puts a process into a group of its own, and ends it with the thread that starts it.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup ends all processes of a group whose first was not waited for yet.
func killGroup(p *os.Process) { _ = unix.Kill(-p.Pid, unix.SIGKILL) } // there is nobody, or it works

// awaitExit waits until a process is over, but leaves its number to it.
func awaitExit(p *os.Process) {
	for unix.Waitid(unix.P_PID, p.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

// limitMemory sets the hard limit of what a process may map. Where that is not allowed, the soft one must do, which Go's runtime
// keeps by itself.
func limitMemory(p *os.Process, bytes int64) {
	l := unix.Rlimit{Cur: uint64(bytes), Max: unix.RLIM_INFINITY}
	_ = unix.Prlimit(p.Pid, unix.RLIMIT_DATA, &l, nil)
}

// ticks is how many of them a second has in /proc, on all machines that Go runs on.
const ticks = 100

// uses is the memory and CPU time that a process has used; 0 where nobody says.
func uses(pid int) (resident int64, cpu time.Duration) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, 0
	}
	_, after, _ := strings.Cut(string(data), ") ") // behind the name, which may be anything
	f := strings.Fields(after)
	if len(f) < 22 {
		return 0, 0
	}
	number := func(i int) int64 {
		n, err := strconv.ParseInt(f[i], 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	return number(21) * int64(os.Getpagesize()), time.Duration(number(11)+number(12)) * time.Second / ticks
}
