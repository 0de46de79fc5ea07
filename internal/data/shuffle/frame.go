package shuffle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/klauspost/compress/s2"

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
//	data      channel 4, flags 1, watermark 8, records 4, backlog 2, surplus 2, batches
//	close     channel 4                                                       nothing more comes, although the channel has not ended
//	credit    any number of: channel 4, credit 4
//
// Each of the two numbers the channels that it opens. Data spends a credit of its channel; see floats.
const (
	openFrame = iota + 1
	dataFrame
	closeFrame
	creditFrame
)

const (
	lengthBytes = 4
	openBytes   = 1 + 4 + 16 + 4 + 4 + 2 + 4
	dataBytes   = 1 + 4 + 1 + 8 + 4 + 2 + 2
	closeBytes  = 1 + 4
	grantBytes  = 4 + 4
)

// Flags of data.
const (
	progressFlag = 1 << iota
	idleFlag
	endFlag
	packedFlag // the batches are packed with s2
)

const (
	frameBytes = 32 << 10 // a frame that has so much takes no further batch
	// MaxFrame is the greatest length of a frame, and so the limit for one record.
	MaxFrame   = 64 << 20
	packBytes  = 1 << 20  // longer frames are not packed: what unpacks to more is refused
	chunkBytes = 64 << 10 // a frame is given memory as it comes, as its length may be a lie
)

// A Frame is what came from another process, and if it is data, the records of a message. It belongs to who has it: the reader of
// the connection, then the mailbox, then the gate.
type Frame struct {
	memory []byte
	body   []byte // what is not read yet
	inlet  *inlet // of data
}

var frames = sync.Pool{New: func() any { return new(Frame) }}

// ReadFrame reads the next frame. io.EOF comes between frames only.
func ReadFrame(r io.Reader) (*Frame, error) {
	var head [lengthBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint32(head[:])
	if length == 0 || length > MaxFrame {
		return nil, fmt.Errorf("%w: it is to have %d bytes", errFrame, length)
	}
	f := frames.Get().(*Frame)
	if err := f.fill(r, int(length)); err != nil {
		f.recycle()
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return f, nil
}

func (f *Frame) fill(r io.Reader, length int) error {
	if cap(f.memory) < length {
		f.memory = make([]byte, 0, min(length, chunkBytes))
	}
	f.memory = f.memory[:0]
	for len(f.memory) < length {
		from := len(f.memory)
		to := min(length, max(cap(f.memory), 2*from))
		if to > cap(f.memory) {
			f.memory = append(make([]byte, 0, to), f.memory...)
		}
		f.memory = f.memory[:to]
		if _, err := io.ReadFull(r, f.memory[from:]); err != nil {
			return err
		}
	}
	f.body = f.memory
	return nil
}

// recycle lets go of the frame. Long ones are not kept.
func (f *Frame) recycle() {
	if cap(f.memory) > 2*chunkBytes {
		f.memory = nil
	}
	*f = Frame{memory: f.memory[:0]}
	frames.Put(f)
}

// read says that the last record was read, or that there was none.
func (f *Frame) read() {
	in := f.inlet
	f.recycle()
	in.read()
}

// unpack makes the batches what they were before they were packed.
func (f *Frame) unpack() error {
	n, err := s2.DecodedLen(f.body)
	if err != nil || n > packBytes {
		return errFrame
	}
	body, err := s2.Decode(make([]byte, n), f.body)
	if err != nil {
		return fmt.Errorf("%w: %w", errFrame, err)
	}
	f.memory, f.body = body, body
	return nil
}

// An opening is the body of an open frame.
type opening struct {
	to     address
	gate   int16
	number int32 // of the channel at the gate
}

func appendOpen(dst []byte, channel uint32, o opening) []byte {
	dst = appendHead(dst, openBytes, openFrame, channel)
	dst = append(dst, o.to.vertex[:]...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(o.to.subtask))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(o.to.attempt))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(o.gate))
	return binary.LittleEndian.AppendUint32(dst, uint32(o.number))
}

// appendHead appends what all frames but those of credit begin with.
func appendHead(dst []byte, length int, kind byte, channel uint32) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(length))
	dst = append(dst, kind)
	return binary.LittleEndian.AppendUint32(dst, channel)
}

func parseOpen(b []byte) (channel uint32, o opening, err error) {
	if len(b) != openBytes-1 {
		return 0, o, errFrame
	}
	le := binary.LittleEndian
	o.to = address{subtaskOf{id.Vertex(b[4:20]), int(le.Uint32(b[20:]))}, int(le.Uint32(b[24:]))}
	o.gate, o.number = int16(le.Uint16(b[28:])), int32(le.Uint32(b[30:]))
	if o.gate < 0 || o.number < 0 {
		return 0, o, errFrame
	}
	return le.Uint32(b), o, nil
}

// A dataHead is what a data frame says before its batches.
type dataHead struct {
	channel          uint32
	flags            byte
	watermark        int64
	records          int
	backlog, surplus int
}

// put writes the head into the first bytes of a frame.
func (h *dataHead) put(frame []byte) {
	le := binary.LittleEndian
	appendHead(frame[:0], len(frame)-lengthBytes, dataFrame, h.channel)
	b := frame[lengthBytes+5:]
	b[0] = h.flags
	le.PutUint64(b[1:], uint64(h.watermark))
	le.PutUint32(b[9:], uint32(h.records))
	le.PutUint16(b[13:], uint16(min(h.backlog, math.MaxUint16)))
	le.PutUint16(b[15:], uint16(h.surplus))
}

func parseData(b []byte) (h dataHead, batches []byte, err error) {
	if len(b) < dataBytes-1 {
		return h, nil, errFrame
	}
	le := binary.LittleEndian
	h = dataHead{
		channel: le.Uint32(b), flags: b[4], watermark: int64(le.Uint64(b[5:])), records: int(le.Uint32(b[13:])),
		backlog: int(le.Uint16(b[17:])), surplus: int(le.Uint16(b[19:])),
	}
	if h.records > math.MaxInt32 {
		return h, nil, errFrame
	}
	return h, b[dataBytes-1:], nil
}

// message is the message that a frame is.
func (h *dataHead) message(f *Frame) Message {
	return Message{
		block: f, To: int32(h.records), Progress: h.flags&progressFlag != 0, Watermark: h.watermark,
		Idle: h.flags&idleFlag != 0, End: h.flags&endFlag != 0,
	}
}

// progress takes what m says of progress.
func (h *dataHead) progress(m *Message) {
	h.flags |= progressFlag
	h.watermark = m.Watermark
	if m.Idle {
		h.flags |= idleFlag
	}
	if m.End {
		h.flags |= endFlag
	}
}

// A grant is credit for a channel.
type grant struct{ channel, credit uint32 }

func appendGrants(dst []byte, grants []grant) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(1+grantBytes*len(grants)))
	dst = append(dst, creditFrame)
	for _, g := range grants {
		dst = binary.LittleEndian.AppendUint32(dst, g.channel)
		dst = binary.LittleEndian.AppendUint32(dst, g.credit)
	}
	return dst
}

func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
