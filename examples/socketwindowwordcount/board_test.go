package main

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func TestBoardKeepsTheNewestWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBoard()
		fmt.Fprint(b, "1> the 5\n2> whale 2\n1> a")
		fmt.Fprint(b, " 7\nnot a count\n")
		if got := b.frame().line(); got != "window 1: 14 words, 3 different; a 7, the 5, whale 2" {
			t.Error(got)
		}
		time.Sleep(windowSize)
		fmt.Fprint(b, "2> sea 1\n")
		if got := b.frame().line(); got != "window 2: 1 words, 1 different; sea 1" {
			t.Error(got)
		}
	})
}
