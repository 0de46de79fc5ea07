package operator

// A firing is what a watermark sets off: timers, windows. It goes in bursts, between which the task may do other things, and the
// watermark is passed on behind the last of them. It makes an operator that embeds it a Yielder; such an operator begins every
// other call with settle.
//
//	          begin                a burst, nothing left
//	idle ───────────────▶ busy ─────────────────────────▶ idle, the watermark is passed on
//	                      ▲  │
//	                      └──┘ a burst, more left
type firing struct {
	burst func() (more bool, err error) // fires some of what is due
	sent  func() error                  // sends what was emitted meanwhile
	pass  func(watermark int64) error

	watermark int64
	busy      bool
}

func (f *firing) begin(watermark int64) error {
	f.watermark, f.busy = watermark, true
	return f.Resume()
}

// Busy says that not all has fired.
func (f *firing) Busy() bool { return f.busy }

// Resume fires another burst.
func (f *firing) Resume() error {
	more, err := f.burst()
	if err != nil {
		return err
	}
	if err := f.sent(); err != nil || more {
		return err
	}
	f.busy = false
	return f.pass(f.watermark)
}

// settle fires all that is left.
func (f *firing) settle() error {
	for f.busy {
		if err := f.Resume(); err != nil {
			return err
		}
	}
	return nil
}
