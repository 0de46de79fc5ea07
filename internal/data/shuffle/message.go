package shuffle

// A Message is what a channel carries: perhaps records, then perhaps how far the channel has got. It is small and passed by value.
type Message struct {
	block     reader // whose records From..To are meant; a frame is read from its beginning
	From, To  int32  // the records not read yet; the gate moves From
	Channel   int32  // of the gate
	Gate      int16  // of the consumer
	Shared    bool   // other consumers read the same records
	Progress  bool   // the next three are set
	Idle      bool
	End       bool  // nothing comes after it
	Watermark int64 // NoWatermark before the first
}

// Records says whether there are records left to read.
func (m *Message) Records() bool { return m.From < m.To }

// A reader is what records are read from: a block, whatever its type, or a frame.
type reader interface {
	// read says that a view was read.
	read()
}

// An Outlet is the producer's end of one channel.
type Outlet struct {
	far     *channel // to another process; nil: to box
	box     *Mailbox
	channel int32
	last    int32 // the message that was put last is the box's queue[last], unless the owner has taken it. Guarded by the box's lock
	gate    int16
}

// NewOutlet is an outlet to a channel of a gate of the task that owns box.
func NewOutlet(box *Mailbox, gate, channel int) Outlet {
	return Outlet{box: box, gate: int16(gate), channel: int32(channel)}
}

// send puts a view of a block. It is for outlets within the process.
func (o *Outlet) send(block reader, from, to int, shared bool) {
	o.box.put(o, Message{block: block, From: int32(from), To: int32(to), Gate: o.gate, Channel: o.channel, Shared: shared})
}

// report says how far the channel has got. While the channel's last message waits in the mailbox, progress joins it: if that
// has records only, or if the mailbox is crowded. So watermarks, which no block holds back, cannot fill the mailbox of a slow consumer.
func (o *Outlet) report(p progress) {
	if o.far != nil {
		o.far.report(p)
		return
	}
	if !o.box.join(o, p) {
		m := Message{Gate: o.gate, Channel: o.channel}
		p.apply(&m)
		o.box.put(o, m)
	}
}

// progress is how far a producer has got.
type progress struct {
	watermark int64
	idle, end bool
}

func (p progress) apply(m *Message) {
	m.Progress, m.Watermark, m.Idle, m.End = true, p.watermark, p.idle, p.end
}
