package shuffle

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/flott-dev/flott/internal/id"
)

// # Frames
//
// What two workers say to each other is frames. All numbers are little-endian.
//
//	length    4   of what follows
//	kind      1
//
//	open      channel 4, vertex 16, subtask 4, attempt 4, gate 2, number 4    to what follows on this channel goes
//	data      channel 4, flags 1, watermark 8, records 4, backlog 2, batches  backlog: frames that wait behind this one
//	close     channel 4                                                       nothing more comes, although there was no end
//	credit    any number of: channel 4, credit 4
//
// Each of the two numbers the channels that it opens. Data spends a credit of its channel; see floats.
const (
	openFrame = iota + 1
	dataFrame
	closeFrame
	creditFrame
)

// How long frames are, with kind.
const (
	lengthBytes = 4
	openBytes   = 1 + 4 + 16 + 4 + 4 + 2 + 4
	dataBytes   = 1 + 4 + 1 + 8 + 4 + 2 // and the batches
	closeBytes  = 1 + 4
	grantBytes  = 4 + 4 // each
)

// Flags of data.
const (
	progressFlag = 1 << iota
	idleFlag
	endFlag
)

const (
	frameBytes = 32 << 10 // of batches: a frame that has so much takes no more
	maxFrame   = 64 << 20 // the limit for one record, too
	chunkBytes = 64 << 10 // a frame is given memory as it comes, since its length may be a lie
)

var (
	le       = binary.LittleEndian
	errFrame = errors.New("a frame from another process is damaged")
)

// An opening is what an open frame says.
type opening struct {
	to      address
	gate    int
	channel int // of the gate
}

func appendOpen(dst []byte, channel uint32, o opening) []byte {
	dst = appendHead(dst, openBytes, openFrame, channel)
	dst = append(dst, o.to.vertex[:]...)
	dst = le.AppendUint32(dst, uint32(o.to.subtask))
	dst = le.AppendUint32(dst, uint32(o.to.attempt))
	dst = le.AppendUint16(dst, uint16(o.gate))
	return le.AppendUint32(dst, uint32(o.channel))
}

// appendHead appends what all frames but those of credit begin with.
func appendHead(dst []byte, length int, kind byte, channel uint32) []byte {
	return le.AppendUint32(append(le.AppendUint32(dst, uint32(length)), kind), channel)
}

func parseOpen(b []byte) (channel uint32, o opening, err error) {
	if len(b) != openBytes-1 {
		return 0, o, errFrame
	}
	o.to = address{subtaskOf{id.Vertex(b[4:20]), int(le.Uint32(b[20:]))}, int(le.Uint32(b[24:]))}
	o.gate, o.channel = int(le.Uint16(b[28:])), int(le.Uint32(b[30:]))
	if o.gate > math.MaxInt16 || o.channel > math.MaxInt32 {
		return 0, o, errFrame
	}
	return le.Uint32(b), o, nil
}

func appendClose(dst []byte, channel uint32) []byte {
	return appendHead(dst, closeBytes, closeFrame, channel)
}

// A grant is credit for a channel.
type grant struct{ channel, credit uint32 }

func appendGrants(dst []byte, grants []grant) []byte {
	dst = append(le.AppendUint32(dst, uint32(1+grantBytes*len(grants))), creditFrame)
	for _, g := range grants {
		dst = le.AppendUint32(le.AppendUint32(dst, g.channel), g.credit)
	}
	return dst
}

// appendData appends a frame of data without its batches, which are the parcel's pieces.
func appendData(dst []byte, channel uint32, p *parcel, backlog int) []byte {
	dst = appendHead(dst, dataBytes+p.size, dataFrame, channel)
	dst = append(dst, p.flags())
	dst = le.AppendUint64(dst, uint64(p.watermark))
	dst = le.AppendUint32(dst, uint32(p.records))
	return le.AppendUint16(dst, uint16(min(backlog, math.MaxUint16)))
}

func (p *parcel) flags() (flags byte) {
	if p.reports {
		flags |= progressFlag
	}
	if p.idle {
		flags |= idleFlag
	}
	if p.end {
		flags |= endFlag
	}
	return flags
}

// A dataHead is what a frame of data says before its batches.
type dataHead struct {
	channel   uint32
	flags     byte
	watermark int64
	records   int
	backlog   int
}

// A frame is what came from another process, and if that is data, the records of a message. It belongs to who has it: the reader
// of the connection, then the mailbox, then the gate.
type frame struct {
	memory []byte
	body   []byte // what is not read yet
	inlet  *inlet // of data
}

var frames = sync.Pool{New: func() any { return new(frame) }}

// readFrame reads the next frame. io.EOF comes between frames only.
func readFrame(r *bufio.Reader) (*frame, error) {
	head, err := r.Peek(lengthBytes)
	if err != nil {
		return nil, cut(err, len(head))
	}
	length := int(le.Uint32(head))
	_, _ = r.Discard(lengthBytes) // they are there
	if length == 0 || length > maxFrame {
		return nil, fmt.Errorf("%w: it is to have %d bytes", errFrame, length)
	}
	f := frames.Get().(*frame)
	if err := f.fill(r, length); err != nil {
		f.recycle()
		return nil, cut(err, lengthBytes)
	}
	return f, nil
}

// cut says that the end came after n bytes of a frame.
func cut(err error, n int) error {
	if n > 0 && errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (f *frame) fill(r io.Reader, length int) error {
	f.memory = f.memory[:0]
	for len(f.memory) < length {
		n := len(f.memory)
		f.memory = slices.Grow(f.memory, min(length-n, max(n, chunkBytes)))
		f.memory = f.memory[:min(length, cap(f.memory))]
		if _, err := io.ReadFull(r, f.memory[n:]); err != nil {
			return err
		}
	}
	f.body = f.memory
	return nil
}

// recycle lets go of the frame. Long ones are not kept.
func (f *frame) recycle() {
	if cap(f.memory) > 2*chunkBytes {
		f.memory = nil
	}
	*f = frame{memory: f.memory}
	frames.Put(f)
}

// head takes what stands before the batches.
func (f *frame) head() (h dataHead, err error) {
	b := f.body
	if len(b) < dataBytes-1 {
		return h, errFrame
	}
	h = dataHead{le.Uint32(b), b[4], int64(le.Uint64(b[5:])), int(le.Uint32(b[13:])), int(le.Uint16(b[17:]))}
	f.body = b[dataBytes-1:]
	if h.records > math.MaxInt32 || (h.records == 0) != (len(f.body) == 0) || (h.records == 0 && h.flags&progressFlag == 0) {
		return h, errFrame
	}
	return h, nil
}

// deliver puts the frame into the mailbox. If it has progress only, that joins what waits there, and the frame is read at once.
func (f *frame) deliver(h dataHead) {
	o := &f.inlet.outlet
	now := progress{h.watermark, h.flags&idleFlag != 0, h.flags&endFlag != 0}
	if h.records == 0 {
		o.report(now)
		f.read()
		return
	}
	m := Message{block: f, To: int32(h.records), Gate: o.gate, Channel: o.channel}
	if h.flags&progressFlag != 0 {
		now.apply(&m)
	}
	o.box.put(o, m)
}

// read says that the last record was read, or that there was none. Its channel gets its credit back.
func (f *frame) read() {
	in := f.inlet
	f.recycle()
	in.outlet.box.floats.read(in)
}
