package id

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/twmb/murmur3"
)

// An Operator is the id of one operator: a murmur3 hash of its uid or of its place in the stream graph. State is stored under it.
// The id of a job vertex is the id of the operator that heads its chain, so vertices have this type too.
type Operator [16]byte

// A Vertex is the id of a job vertex, equal to the Operator at the head of its chain.
type Vertex = Operator

// String is the id as 32 lower-case hexadecimal digits, Flink's form.
func (o Operator) String() string { return hex.EncodeToString(o[:]) }

// ParseOperator reads an id from its 32 hexadecimal digits, in either case.
func ParseOperator(s string) (Operator, error) {
	var o Operator
	err := parse(o[:], s)
	return o, err
}

// OperatorWithUID is the id of an operator that the user gave a uid.
func OperatorWithUID(uid string) Operator { return murmur([]byte(uid)) }

// OperatorAt is the id of an operator without uid: place is the number of ids made before, chained the number of its out-edges that
// can be chained, and inputs are the ids of the operators before it, one for each in-edge. It changes with nearly every change of
// the program, which is what uids are for.
func OperatorAt(place, chained int, inputs []Operator) Operator {
	var data []byte
	for range 1 + chained {
		data = binary.LittleEndian.AppendUint32(data, uint32(place))
	}
	o := murmur(data)
	for _, in := range inputs {
		for i := range o {
			o[i] = o[i]*37 ^ in[i]
		}
	}
	return o
}

// murmur is murmur3 x64 128 with seed 0, both halves in little-endian order, as Flink's library writes them.
func murmur(data []byte) (o Operator) {
	lo, hi := murmur3.Sum128(data)
	binary.LittleEndian.PutUint64(o[:8], lo)
	binary.LittleEndian.PutUint64(o[8:], hi)
	return o
}

func parse(into []byte, s string) error {
	if n, err := hex.Decode(into, []byte(s[:min(len(s), 2*len(into))])); err != nil || n != len(into) || len(s) != 2*n {
		return fmt.Errorf("id: %q is not %d hexadecimal digits", s, 2*len(into))
	}
	return nil
}
