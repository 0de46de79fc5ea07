package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Kind is what values of a key may be: it says what is wrong with one.
type Kind func(value string) error

// Text may be anything.
func Text(string) error { return nil }

// Number is a whole number.
func Number(v string) error { return failed(ParseNumber(v)) }

// Count is a whole number above zero.
func Count(v string) error {
	n, err := ParseNumber(v)
	if err == nil && n < 1 {
		err = fmt.Errorf("it is %d; it must be at least 1", n)
	}
	return err
}

// Port is that of a TCP address.
func Port(v string) error {
	n, err := ParseNumber(v)
	if err == nil && (n < 0 || n > math.MaxUint16) {
		err = fmt.Errorf("the port is %d; it must be between 0 (any that is free) and %d", n, math.MaxUint16)
	}
	return err
}

// Truth is true or false.
func Truth(v string) error { return failed(ParseTruth(v)) }

// Duration is a length of time.
func Duration(v string) error { return failed(ParseDuration(v)) }

// Patience is a length of time above zero.
func Patience(v string) error {
	d, err := ParseDuration(v)
	if err == nil && d <= 0 {
		err = fmt.Errorf("it is %v; it must be above zero", d)
	}
	return err
}

// Factor is a number.
func Factor(v string) error { return failed(ParseFactor(v)) }

// Bytes is a size.
func Bytes(v string) error { return failed(ParseBytes(v)) }

// OneOf is a choice of words.
func OneOf(words ...string) Kind {
	return func(v string) error {
		if !slices.Contains(words, v) {
			return fmt.Errorf("%q is not one of %s", v, strings.Join(words, ", "))
		}
		return nil
	}
}

func failed[T any](_ T, err error) error { return err }

// ParseNumber reads a whole number.
func ParseNumber(v string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number", v)
	}
	return n, nil
}

// ParseTruth reads true or false.
func ParseTruth(v string) (bool, error) {
	b, err := strconv.ParseBool(strings.TrimSpace(v))
	if err != nil {
		return false, fmt.Errorf("%q is neither true nor false", v)
	}
	return b, nil
}

// ParseFactor reads a number.
func ParseFactor(v string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", v)
	}
	return f, nil
}

// ParseDuration takes Go's form, 100ms, and Flink's, 100 ms, 1 min and 7 d.
func ParseDuration(v string) (time.Duration, error) {
	text := strings.ReplaceAll(v, " ", "")
	if minutes, ok := strings.CutSuffix(text, "min"); ok {
		text = minutes + "m"
	}
	days := time.Duration(1)
	if n, ok := strings.CutSuffix(text, "d"); ok {
		text, days = n+"h", 24
	}
	d, err := time.ParseDuration(text)
	if err != nil || d > math.MaxInt64/days || d < math.MinInt64/days {
		return 0, fmt.Errorf("%q is not a duration such as 100ms", v)
	}
	return d * days, nil
}

// units are Flink's: powers of 1024, however they are called.
var units = map[string]int64{
	"": 1, "b": 1, "bytes": 1,
	"k": 1 << 10, "kb": 1 << 10, "kib": 1 << 10, "kibibytes": 1 << 10,
	"m": 1 << 20, "mb": 1 << 20, "mib": 1 << 20, "mebibytes": 1 << 20,
	"g": 1 << 30, "gb": 1 << 30, "gib": 1 << 30, "gibibytes": 1 << 30,
	"t": 1 << 40, "tb": 1 << 40, "tib": 1 << 40, "tebibytes": 1 << 40,
}

// ParseBytes reads a size above zero, such as 512m or 4 gb.
func ParseBytes(v string) (int64, error) {
	text := strings.ToLower(strings.TrimSpace(v))
	digits := strings.TrimLeft(text, "0123456789")
	n, err := strconv.ParseInt(text[:len(text)-len(digits)], 10, 64)
	unit, known := units[strings.TrimSpace(digits)]
	if err != nil || !known || n < 1 || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("%q is not a size such as 512m", v)
	}
	return n * unit, nil
}
