package workload

import "strconv"

// vocabulary is the words w0 to w9999.
var vocabulary = func() []string {
	w := make([]string, 10_000)
	for i := range w {
		w[i] = "w" + strconv.Itoa(i)
	}
	return w
}()

// Sentence is eight words joined by single spaces; word frequency falls as 1/rank (Zipf's law, exponent 1).
func Sentence(n int64) string {
	b := make([]byte, 0, 64)
	for j := range int64(8) {
		h := half(n, j)
		octave := (h & 0xffff) % 14
		first := int64(1)<<octave - 1
		rank := (first + (h>>16)&first) % int64(len(vocabulary))
		if j > 0 {
			b = append(b, ' ')
		}
		b = append(b, vocabulary[rank]...)
	}
	return string(b)
}
