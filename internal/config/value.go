package config

import (
	"fmt"
	"slices"
	"time"
)

// The methods of this file read settings as a cluster does. Their values were checked when they were found, and the defaults are right.

// Text is the value of a key; "": there is none.
func (s *Settings) Text(key string) string {
	for _, f := range slices.Backward(s.Found) {
		if f.Key == key {
			return f.Value
		}
	}
	i := slices.IndexFunc(Keys, func(k Key) bool { return k.Name == key && k.Scope&Cluster != 0 })
	if i < 0 {
		panic(fmt.Sprintf("config: %s is no setting of a cluster", key))
	}
	return Keys[i].fallback()
}

// Number is the value of a key that is a number, or a port.
func (s *Settings) Number(key string) int { return read(s, key, ParseNumber) }

// Truth is the value of a key that is true or false.
func (s *Settings) Truth(key string) bool { return read(s, key, ParseTruth) }

// Duration is the value of a key that is one.
func (s *Settings) Duration(key string) time.Duration { return read(s, key, ParseDuration) }

// Factor is the value of a key that is a number with a fraction.
func (s *Settings) Factor(key string) float64 { return read(s, key, ParseFactor) }

// Bytes is the value of a key that is a size; 0: there is none.
func (s *Settings) Bytes(key string) int64 { return read(s, key, ParseBytes) }

func read[T any](s *Settings, key string, parse func(string) (T, error)) (v T) {
	if text := s.Text(key); text != "" {
		v, _ = parse(text) // as was checked
	}
	return v
}
