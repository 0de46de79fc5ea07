// Command worker is the program of workers in tests. Its first argument says how it behaves.
package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	fmt.Println("main prints")
	fmt.Println(os.Getenv("FLOTT_WORKER_MARK"))
	behave(os.Args[1], os.Args[2:])
}

// behave is what a worker does.
func behave(how string, args []string) {
	switch how {
	case "count":
		for i := range 1000 {
			fmt.Println("line", i)
		}
	case "tell":
		folder, _ := os.Getwd()
		entries, _ := os.ReadDir(".")
		env := os.Environ()
		slices.Sort(env)
		fmt.Printf("%s\n%d\n%s\n%s", folder, len(entries), strings.Join(args, ","), strings.Join(env, "\n"))
	case "log":
		fmt.Fprintln(os.Stderr, "a word")
	case "panic":
		done := make(chan int)
		go func() { panic("user code fails") }()
		<-done
	case "exit":
		fmt.Fprintln(os.Stderr, "no way")
		os.Exit(3)
	case "allocate":
		var all [][]byte
		for {
			b := make([]byte, 1<<20)
			for i := range b {
				b[i] = 1
			}
			all = append(all, b)
			_ = all
		}
	case "spin":
		fmt.Println(os.Getpid())
		for {
		}
	case "litter":
		litter()
	case "stray":
		stray(args[0])
	case "wait":
		fmt.Println(os.Getpid())
		wait()
	}
}

// litter leaves all that can be left: a file in each folder, a socket, and a process.
func litter() {
	for _, folder := range []string{".", os.TempDir()} {
		if err := os.WriteFile(folder+"/litter", nil, 0o600); err != nil {
			panic(err)
		}
	}
	if _, err := net.Listen("unix", os.Getenv("FLOTT_WORKER_FOLDER")+"/socket"); err != nil {
		panic(err)
	}
	c := exec.Command(os.Args[0], "wait")
	c.Stdout = os.Stdout
	if err := c.Start(); err != nil {
		panic(err)
	}
	fmt.Println(c.Process.Pid)
}

// stray starts a process in a session of its own, which no signal to the worker's group reaches, once it is in the control group whose
// name begins so.
func stray(group string) {
	for text, _ := os.ReadFile("/proc/self/cgroup"); !strings.Contains(string(text), group); text, _ = os.ReadFile("/proc/self/cgroup") {
		time.Sleep(time.Millisecond)
	}
	c := exec.Command(os.Args[0], "wait")
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := c.Start(); err != nil {
		panic(err)
	}
	fmt.Println(c.Process.Pid)
	wait()
}

// wait waits for a signal that cannot be ignored.
func wait() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	select {}
}
