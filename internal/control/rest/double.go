package rest

import (
	"math"
	"strconv"
	"strings"
)

// A double is a number as Java writes one: with a point, and as a string where JSON has no number for it.
type double float64

// MarshalJSON is the number in JSON.
func (d double) MarshalJSON() ([]byte, error) {
	if f := float64(d); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte(`"` + d.String() + `"`), nil
	}
	return []byte(d.String()), nil
}

// String is the number in text.
func (d double) String() string {
	f := float64(d)
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f != 0 && (math.Abs(f) >= 1e7 || math.Abs(f) < 1e-3):
		return scientific(f)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// scientific is 1.5E8 and 2.0E-4.
func scientific(f float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	n, _ := strconv.Atoi(exponent) // FormatFloat writes numbers
	return mantissa + "E" + strconv.Itoa(n)
}
