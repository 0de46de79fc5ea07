package timer

// An Alarm is one appointment with a clock, for the earliest of the times that it was set to.
type Alarm struct {
	clock Clock
	ring  func() error
	at    int64 // if it is set
	stop  func()
}

// NewAlarm makes an alarm that calls ring when it goes off. It is not set then.
func NewAlarm(c Clock, ring func() error) *Alarm { return &Alarm{clock: c, ring: ring} }

// Set makes the alarm go off at t, or earlier if it is set to an earlier time.
func (a *Alarm) Set(t int64) {
	if a.stop != nil {
		if a.at <= t {
			return
		}
		a.stop()
	}
	a.at, a.stop = t, a.clock.At(t, a.goOff)
}

func (a *Alarm) goOff() error {
	a.stop = nil
	return a.ring()
}

// Stop unsets the alarm.
func (a *Alarm) Stop() {
	if a.stop != nil {
		a.stop()
		a.stop = nil
	}
}
