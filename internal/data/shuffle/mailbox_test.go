package shuffle

import (
	"errors"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

func TestMessageIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(Message{}); n > 64 {
		t.Errorf("a message has %d bytes", n)
	}
	if n := unsafe.Sizeof(Outlet{}); n > 32 {
		t.Errorf("an outlet has %d bytes; a task has one per channel", n)
	}
}

// owner is a goroutine that waits for some signals once.
func waiting(b *Mailbox, s Signal) (woken *bool, done func()) {
	var w sync.WaitGroup
	woken = new(bool)
	w.Go(func() {
		b.Wait(s)
		*woken = true
	})
	return woken, w.Wait
}

func TestOnlyWantedSignalsWake(t *testing.T) {
	message := func(b *Mailbox) { o := NewOutlet(b, 0, 0); o.report(progress{}) }
	mail := func(b *Mailbox) { b.Mail(func() error { return nil }) }
	nudge := (*Mailbox).Nudge
	back := func(b *Mailbox) { b.raise(Returns) }
	cancel := func(b *Mailbox) { b.Cancel(errors.New("over")) }
	for _, c := range []struct {
		name string
		put  func(*Mailbox)
		up   Signal
	}{
		{"message", message, Messages},
		{"mail", mail, Mails},
		{"nudge", nudge, Nudges},
		{"return", back, Returns},
		{"cancel", cancel, Nudges | Returns},
	} {
		for _, wants := range []Signal{Messages, Mails, Nudges, Returns, Mails | Nudges, Messages | Returns} {
			synctest.Test(t, func(t *testing.T) {
				b := NewMailbox()
				woken, done := waiting(b, wants)
				synctest.Wait()
				c.put(b)
				synctest.Wait()
				if want := c.up&wants != 0; *woken != want {
					t.Errorf("an owner that waits for %b is woken by a %s: %t, want %t", wants, c.name, *woken, want)
				}
				if b.up() != c.up {
					t.Errorf("after a %s %b is up, want %b", c.name, b.up(), c.up)
				}
				b.raise(wants)
				done()
				b.Wait(c.up) // still up: returns at once
			})
		}
	}
}

func TestAttendTakesMailsInOrder(t *testing.T) {
	b := NewMailbox()
	var got []int
	for round := range 3 {
		for i := range 3 {
			b.Mail(func() error { got = append(got, round*3+i); return nil })
		}
		if !b.Urgent() {
			t.Error("mails are not urgent")
		}
		for _, mail := range b.Attend() {
			if err := mail(); err != nil {
				t.Fatal(err)
			}
		}
		if b.Urgent() || len(b.Attend()) > 0 {
			t.Error("mails are still there")
		}
	}
	for i, x := range got {
		if i != x {
			t.Fatalf("mails ran in the order %v", got)
		}
	}
}

func TestProgressJoinsRecords(t *testing.T) {
	b := NewMailbox()
	first, second := NewOutlet(b, 0, 0), NewOutlet(b, 0, 1)
	view := func(o *Outlet) { o.send(&block[int]{}, 0, 1, false) }

	view(&first)
	view(&second)
	first.report(progress{watermark: 1})
	first.report(progress{watermark: 2, idle: true})
	second.report(progress{watermark: math.MaxInt64, end: true})
	expect(t, b, []Message{
		{From: 0, To: 1, Channel: 0, Progress: true, Watermark: 1},
		{From: 0, To: 1, Channel: 1, Progress: true, Watermark: math.MaxInt64, End: true},
		{Channel: 0, Progress: true, Watermark: 2, Idle: true},
	})
	first.report(progress{watermark: 3}) // the message that it could join was taken
	view(&first)
	expect(t, b, []Message{{Progress: true, Watermark: 3}, {From: 0, To: 1}})
}

// What a slow consumer has to hold for watermarks does not grow without end.
func TestProgressJoinsProgressInACrowd(t *testing.T) {
	b := NewMailbox()
	outlets := []Outlet{NewOutlet(b, 0, 0), NewOutlet(b, 0, 1), NewOutlet(b, 0, 2)}
	for i := range 10_000 {
		for c := range outlets {
			outlets[c].report(progress{watermark: int64(i), idle: i%2 == 1, end: i == 9999})
		}
	}
	var last [3]Message
	n := 0
	for m := b.Next(); m != nil; m = b.Next() {
		if w := last[m.Channel].Watermark; n >= len(last) && m.Watermark <= w {
			t.Errorf("watermark %d came after %d", m.Watermark, w)
		}
		last[m.Channel] = *m
		n++
	}
	if n != crowded {
		t.Errorf("%d messages wait, want %d", n, crowded)
	}
	for c, m := range last {
		if m.Watermark != 9999 || !m.Idle || !m.End {
			t.Errorf("the last message of channel %d is %+v", c, m)
		}
	}
}

func expect(t *testing.T, b *Mailbox, want []Message) {
	t.Helper()
	for _, w := range want {
		m := b.Next()
		if m == nil {
			t.Fatalf("no message, want %+v", w)
		}
		got := *m
		got.block = nil
		if got != w {
			t.Errorf("got %+v, want %+v", got, w)
		}
	}
	if m := b.Next(); m != nil {
		t.Errorf("one message too many: %+v", *m)
	}
}

func TestTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewMailbox()
		time.Sleep(time.Second) // nobody owns it
		b.Start()
		later := func(d time.Duration, s Signal) {
			time.AfterFunc(d, func() { b.raise(s) })
			b.Wait(s)
			b.lower(s)
		}
		time.Sleep(3 * time.Second)
		later(5*time.Second, Messages)
		later(7*time.Second, Returns)
		later(11*time.Second, Urgent)
		if got, want := b.Times(), (Times{Busy: 3 * time.Second, Idle: 5 * time.Second, BackPressured: 18 * time.Second}); got != want {
			t.Errorf("got %v, want %v", got, want)
		}

		_, done := waiting(b, Messages|Urgent)
		synctest.Wait()
		time.Sleep(2 * time.Second)
		if got := b.Times().Idle; got != 7*time.Second {
			t.Errorf("idle time while parked is %v, want 7s", got)
		}
		b.Nudge()
		done()
		b.Stop()
		before := b.Times()
		time.Sleep(time.Second)
		if after := b.Times(); after != before {
			t.Errorf("stopped, and time went on from %v to %v", before, after)
		}
	})
}

func TestMailboxDoesNotAllocate(t *testing.T) {
	b := NewMailbox()
	o := NewOutlet(b, 0, 0)
	blk := &block[int]{}
	n := testing.AllocsPerRun(100, func() {
		for range 100 {
			o.send(blk, 0, 1, false)
		}
		for b.Next() != nil {
		}
	})
	if n > 0 {
		t.Errorf("%v allocations for 100 messages", n)
	}
}
