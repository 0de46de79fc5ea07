// Command steps is the program of scripts with a cluster. Its first argument says what it does.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/flott-dev/flott"
)

func main() {
	what, rest := os.Args[1], os.Args[2:]
	if err := map[string]func([]string) error{"count": count, "gate": gate, "twice": twice, "endless": endless, "panics": panics, "reads": reads, "dies": dies}[what](rest); err != nil {
		fmt.Fprintln(os.Stderr, "steps:", err)
		os.Exit(3)
	}
}

// count prints numbers up to one.
func count(args []string) error {
	n, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return err
	}
	_, err = numbers(n, "count")
	return err
}

func numbers(n int64, name string) (*flott.Result, error) {
	env := flott.New()
	env.From(flott.Sequence(1, n)).Map(func(i int64) int64 { return i }).Print()
	return env.Execute(context.Background(), name)
}

// gate prints 1 to 3, waits for a file, and prints 4 to 6.
func gate(args []string) error {
	env := flott.New(flott.RestartFixed(2, time.Millisecond))
	env.From(flott.Sequence(1, 6)).To(flott.ForEach(func(i int64) error {
		for i == 4 {
			if _, err := os.Stat(args[0]); err == nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		_, err := fmt.Println(i)
		return err
	}))
	_, err := env.Execute(context.Background(), "gate")
	return err
}

// twice has a second job that is made of the result of the first.
func twice([]string) error {
	first, err := numbers(3, "first")
	if err != nil {
		return err
	}
	second, err := numbers(first.Operators[0].RecordsOut+1, "second")
	if err != nil {
		return err
	}
	fmt.Println("main:", first.Operators[0].RecordsOut, second.Operators[0].RecordsOut)
	return nil
}

// endless is a job that goes on until it is cancelled, which is what it returns.
func endless([]string) error {
	env := flott.New()
	env.From(flott.Sequence(1, 1<<60)).Filter(func(i int64) bool { return i == 1 }).Print()
	_, err := env.Execute(context.Background(), "endless")
	if errors.Is(err, context.Canceled) {
		return errors.New("cancelled")
	}
	return err
}

// panics fails.
func panics([]string) error {
	env := flott.New()
	env.From(flott.Sequence(1, 10)).Map(func(i int64) int64 { return 10 / (i - 5) }).Name("divide").Discard()
	_, err := env.Execute(context.Background(), "panics")
	return err
}

// reads prints variables as workers have them.
func reads(args []string) error {
	env := flott.New()
	env.From(flott.FromSlice(args)).Map(func(name string) string { return name + "=" + os.Getenv(name) }).Print()
	_, err := env.Execute(context.Background(), "reads")
	return err
}

// dies has a main that comes to no job.
func dies([]string) error {
	if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
		return err
	}
	select {}
}
