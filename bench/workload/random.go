// Package workload holds what the benchmark jobs and the handwritten loops share: records that are functions of a sequence
// number, and the counters they end in. There is no clock, no floating point and no outside system in it, so that every
// implementation of a workload, in any language, prints the same out and sum.
package workload

import "encoding/binary"

const (
	gold = 0x9E3779B97F4A7C15
	draw = 0xD1B54A32D192ED03
)

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Bits is 64 random bits for sequence number n and draw k.
func Bits(n, k int64) int64 { return int64(mix(uint64(n)*gold + uint64(k)*draw)) }

// Below is a random number in [0, m).
func Below(n, k, m int64) int64 { return half(n, k) % m }

// half is 63 random bits, as a number that is not negative.
func half(n, k int64) int64 { return int64(uint64(Bits(n, k)) >> 1) }

// price is log-uniform in [100, 100*2^20): a power of two times 100, and as much again at most.
func price(n, k int64) int64 {
	h := uint64(half(n, k))
	octave := (h & 0xffff) % 20
	h >>= 16
	above := h>>octave%100<<octave | h&(1<<octave-1) // h % (100<<octave), which cannot be divided by as cheaply
	return int64(100<<octave + above)
}

// letters is a string of at most 128 lower-case letters; one draw from k on per eight of them.
func letters(n, k int64, length int) string {
	var buffer [128]byte // on the stack: the string is the one allocation
	drawLetters(buffer[:], n, k, length)
	return string(buffer[:length])
}

// drawLetters writes letters of a number up to the next multiple of eight.
func drawLetters(to []byte, n, k int64, length int) {
	for i := 0; i < length; i, k = i+8, k+1 {
		binary.LittleEndian.PutUint64(to[i:], eightLetters(uint64(Bits(n, k))))
	}
}

// eightLetters turns each byte x of h into the letter 'a' + x%26, four bytes at a time: 79*x>>11 is x/26 for every byte x.
func eightLetters(h uint64) uint64 {
	const (
		even = 0x00ff00ff00ff00ff
		each = 0x0001000100010001
	)
	letters := func(x uint64) uint64 { return x + 'a'*each - 26*(79*x>>11&(31*each)) }
	return letters(h&even) | letters(h>>8&even)<<8
}

// Hex16 is v as 16 lower-case hexadecimal digits.
func Hex16(v int64) string {
	const digits = "0123456789abcdef"
	var b [16]byte
	for i := 15; i >= 0; i-- {
		b[i] = digits[v&15]
		v = int64(uint64(v) >> 4)
	}
	return string(b[:])
}
