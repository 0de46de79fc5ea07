package main

import (
	"context"
	"net"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// freeAddress is where the page is to be served: as asked, or on any other port where somebody has that one.
func freeAddress(asked string) (string, error) {
	l, err := net.Listen("tcp", asked)
	if err != nil {
		l, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// showPage opens the page in a browser, where there is a desktop, as soon as it is served. Without one, its address is on the screen.
func showPage(ctx context.Context, address string) {
	opener := desktop()
	if opener == "" || !served(ctx, address) {
		return
	}
	_ = exec.Command(opener, "http://"+address).Run() // or people open it themselves
}

// desktop is the program that opens what a desktop has a program for; "": there is no desktop.
func desktop() string {
	switch {
	case runtime.GOOS == "darwin":
		return "open"
	case os.Getenv("DISPLAY")+os.Getenv("WAYLAND_DISPLAY") != "":
		return "xdg-open"
	}
	return ""
}

// served waits until somebody listens.
func served(ctx context.Context, address string) bool {
	var d net.Dialer
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if c, err := d.DialContext(ctx, "tcp", address); err == nil {
			_ = c.Close() // all that was wanted is that it can be opened
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
}
