package codec

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// A TypeError says why a type has no codec, or what its codec leaves out (Whole): all reasons at once.
type TypeError struct {
	Type     reflect.Type
	Problems []Problem
}

// A Problem is one part of a type that cannot be encoded.
type Problem struct {
	Path   string       // from the type to the part, such as "Order.Lines[].Done"
	Type   reflect.Type // of the part
	Reason string
}

// Error has all problems in one line.
func (e *TypeError) Error() string {
	parts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		parts[i] = p.String()
	}
	return fmt.Sprintf("type %s cannot be encoded: %s", e.Type, strings.Join(parts, "; "))
}

func (p Problem) String() string { return fmt.Sprintf("%s (%s): %s", p.Path, p.Type, p.Reason) }

// A ValueError is about a value that cannot be encoded, though others of its type can, or about bytes that are none of the type.
type ValueError struct {
	Path string // from the type to the part at fault
	Err  error
}

func (e *ValueError) Error() string { return "codec: " + e.Path + ": " + e.Err.Error() }

// Unwrap is the reason.
func (e *ValueError) Unwrap() error { return e.Err }

// at puts a path before an error. The innermost path is the longest, and stays.
func at(path string, err error) error {
	var inner *ValueError
	if errors.As(err, &inner) {
		return err
	}
	return &ValueError{path, err}
}

var (
	errShort   = errors.New("the bytes end too early")
	errVarint  = errors.New("a number has more than 64 bits")
	errRange   = errors.New("a number is out of the range of its type")
	errBool    = errors.New("a boolean is neither 0 nor 1")
	errLength  = errors.New("a length is more than there are bytes")
	errBranch  = errors.New("a union has no such branch")
	errDeep    = errors.New("the value nests too deeply, or points to itself")
	errCount   = errors.New("an array has another length than its type")
	errTime    = errors.New("the time is before 1678 or after 2261, which nanoseconds cannot tell; tag the field `avro:\",timestamp-micros\"`")
	errTrailer = errors.New("bytes are left over")
)
