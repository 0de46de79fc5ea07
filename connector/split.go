package connector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
)

// A Split is a part of a source that is read by one reader, in order: a file or a range of it, a partition, a range of numbers.
type Split struct {
	ID       string // unique within the source; says all that a reader needs to know of it
	Position []byte // where to go on reading, in the source's own format; nil: from the start
}

// Offset is the usual form of a position: a number of bytes or records, as decimal digits.
func Offset(n int64) []byte { return strconv.AppendInt(nil, n, 10) }

// Offset reads the position that function Offset wrote; 0 when there is none yet.
func (s Split) Offset() (int64, error) {
	if len(s.Position) == 0 {
		return 0, nil
	}
	n, err := strconv.ParseInt(string(s.Position), 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("split %q: position %q is not a number from 0 on", s.ID, s.Position)
	}
	return n, nil
}

// splitsFormat is the first byte of encoded splits.
const splitsFormat = 1

// EncodeSplits writes splits for a snapshot: the format's number, then per split ID and Position, each behind its length (uvarint).
func EncodeSplits(splits []Split) []byte {
	b := []byte{splitsFormat}
	for _, s := range splits {
		b = append(binary.AppendUvarint(b, uint64(len(s.ID))), s.ID...)
		b = append(binary.AppendUvarint(b, uint64(len(s.Position))), s.Position...)
	}
	return b
}

var errSplits = errors.New("encoded splits are damaged or of a newer format")

// DecodeSplits reads what EncodeSplits wrote.
func DecodeSplits(b []byte) ([]Split, error) {
	if len(b) == 0 || b[0] != splitsFormat {
		return nil, errSplits
	}
	var splits []Split
	for b = b[1:]; len(b) > 0; {
		var id, position []byte
		var ok1, ok2 bool
		id, b, ok1 = cutField(b)
		position, b, ok2 = cutField(b)
		if !ok1 || !ok2 {
			return nil, errSplits
		}
		splits = append(splits, Split{ID: string(id), Position: position})
	}
	return splits, nil
}

// cutField takes a field behind its length from b; an empty one is nil.
func cutField(b []byte) (field, rest []byte, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return nil, nil, false
	}
	rest = b[size:]
	return append([]byte(nil), rest[:n]...), rest[n:], true
}
