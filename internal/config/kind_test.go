package config

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDurations(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"100ms": 100 * time.Millisecond, "100 ms": 100 * time.Millisecond, "1 min": time.Minute, "7 d": 7 * 24 * time.Hour, "0.5 d": 12 * time.Hour,
		"1h30m": 90 * time.Minute, "-1 s": -time.Second, "0": 0,
	} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "d", "min", "1", "soon", "1 d 2 h", "106752 d", "-106752 d", "9999999999 h"} {
		if got, err := ParseDuration(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "1024 b": 1024, "2k": 2048, "3 KB": 3 << 10, "512m": 512 << 20, "4 gb": 4 << 30, "1 GiB": 1 << 30, "1tb": 1 << 40,
		"9223372036854775807": 1<<63 - 1, "8388607t": 8388607 << 40,
	} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("%q is %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "m", "0", "-1m", "1.5g", "1 x", "1 g b", "9223372036854775808", "8388608t"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

// Whatever is written as Go writes durations is read as what it was.
func TestDurationsOfGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := time.Duration(rapid.Int64().Draw(t, "duration"))
		if got, err := ParseDuration(want.String()); err != nil || got != want {
			t.Errorf("%v became %v, %v", want, got, err)
		}
	})
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		kind  Kind
		value string
		want  string // "": it is good
	}{
		{Number, "-3", ""},
		{Number, "3.5", "not a whole number"},
		{Count, "1", ""},
		{Count, "0", "at least 1"},
		{Count, "one", "not a whole number"},
		{Port, "65535", ""},
		{Port, "65536", "between 0"},
		{Port, "-1", "between 0"},
		{Port, "http", "not a whole number"},
		{Truth, "true", ""},
		{Truth, "yes", "neither true nor false"},
		{Factor, "1.5", ""},
		{Factor, "x", "not a number"},
		{Bytes, "1g", ""},
		{Bytes, "g", "not a size"},
		{Duration, "1 s", ""},
		{Duration, "s", "not a duration"},
		{Patience, "1 s", ""},
		{Patience, "0", "above zero"},
		{Patience, "soon", "not a duration"},
		{OneOf("a", "b"), "b", ""},
		{OneOf("a", "b"), "c", "not one of a, b"},
		{Text, "anything", ""},
	} {
		switch err := c.kind(c.value); {
		case (err == nil) != (c.want == ""):
			t.Errorf("%q: %v, want %q", c.value, err, c.want)
		case err != nil && !strings.Contains(err.Error(), c.want):
			t.Errorf("%q: %v, want %q", c.value, err, c.want)
		}
	}
}
