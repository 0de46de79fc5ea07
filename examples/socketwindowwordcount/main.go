// Command socketwindowwordcount is Flink's best-known first program, on flott: it counts the words that arrive on a socket in
// windows of five seconds. It shows the counts live, and at its end the four graphs that the program went through.
//
//	go run .                            over the prose in this folder, served line by line on 127.0.0.1
//	go run . -host 127.0.0.1 -port 9999 over your own "nc -lk 9999"
//
// It ends by itself after half a minute, or on a key.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"time"

	"github.com/flott-dev/flott"
	"golang.org/x/term"
)

func main() {
	host := flag.String("host", "", "host of a text server; empty: serve the prose of this folder")
	port := flag.String("port", "9999", "port of the text server, with -host")
	length := flag.Duration("for", 30*time.Second, "how long to run")
	plain := flag.Bool("plain", false, "print plain lines, also in a terminal")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, *length)
	defer cancel()
	if err := run(ctx, *host, *port, *plain || !term.IsTerminal(int(os.Stdout.Fd()))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run shows the job until ctx ends or the input does, then its graphs.
func run(ctx context.Context, host, port string, plain bool) (err error) {
	addr := net.JoinHostPort(host, port)
	if host == "" {
		feed, err := serve(ctx)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, feed.Close()) }()
		addr = feed.Addr()
	}
	show := showScreen
	if plain {
		show = showLines
	}
	board := newBoard()
	env := flott.New(flott.Parallelism(2), flott.Stdout(board))
	wordCount(env, addr)
	plan, err := env.Plan(jobName)
	if err != nil {
		return err
	}
	job := func(ctx context.Context) error {
		_, err := env.Execute(ctx, jobName)
		return err
	}
	if os.Getenv("FLOTT_ROLE") == "plan" { // "flott plan": the job is printed in place of being run, and nothing is to be shown
		return job(ctx)
	}
	if err := show(ctx, addr, board, job); err != nil {
		return err
	}
	return printGraphs(os.Stdout, plan, terminalWidth())
}

// terminalWidth is that of the terminal, or one that most have.
func terminalWidth() int {
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && width > 0 {
		return width
	}
	return 100
}
