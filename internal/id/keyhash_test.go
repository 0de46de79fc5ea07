package id_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/id"
)

type (
	userID int64
	pair   struct {
		Name string
		N    int32
	}
	nested struct {
		A pair
		_ float64 // == does not look at blank fields
		B [2]uint8
	}
)

// vectors are the keys of docs/formats/key-hash.md, by the text in the table's first column.
var vectors = map[string]func() (uint64, error){
	"int64(0)":                    hash(int64(0)),
	"int64(1)":                    hash(int64(1)),
	"int64(-1)":                   hash(int64(-1)),
	"int32(-1)":                   hash(int32(-1)),
	"int8(-1)":                    hash(int8(-1)),
	"uint32(4294967295)":          hash(uint32(4294967295)),
	"uint16(65535)":               hash(uint16(65535)),
	"uint8(255)":                  hash(uint8(255)),
	"int16(-2)":                   hash(int16(-2)),
	"int(42)":                     hash(42),
	"uint(42)":                    hash(uint(42)),
	"userID(42)":                  hash(userID(42)),
	"true":                        hash(true),
	"false":                       hash(false),
	`""`:                          hash(""),
	`"a"`:                         hash("a"),
	`"hello"`:                     hash("hello"),
	`"größe"`:                     hash("größe"),
	`"0123456789" x 30`:           hash(strings.Repeat("0123456789", 30)),
	`pair{"a", 1}`:                hash(pair{"a", 1}),
	`pair{"a", 2}`:                hash(pair{"a", 2}),
	"[2]int64{1, 2}":              hash([2]int64{1, 2}),
	"[2]int64{2, 1}":              hash([2]int64{2, 1}),
	"struct{}{}":                  hash(struct{}{}),
	`nested{{"a", 1}, _, {1, 2}}`: hash(nested{A: pair{"a", 1}, B: [2]uint8{1, 2}}),
}

func hash[K comparable](k K) func() (uint64, error) {
	return func() (uint64, error) {
		h, err := id.HashOf[K]()
		if err != nil {
			return 0, err
		}
		return h(k), nil
	}
}

func TestKeyHashIsAsDocumented(t *testing.T) {
	const doc = "../../docs/formats/key-hash.md"
	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || !strings.HasPrefix(strings.TrimSpace(cells[2]), "0x") {
			continue
		}
		seen++
		checkVector(t, strings.Trim(cells[1], " `"), number(t, cells[2]), int(number(t, cells[3])), number(t, cells[4]))
	}
	if seen != len(vectors) {
		t.Errorf("%s has %d vectors, this test knows %d", doc, seen, len(vectors))
	}
}

func number(t *testing.T, cell string) uint64 {
	n, err := strconv.ParseUint(strings.TrimSpace(cell), 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func checkVector(t *testing.T, key string, want uint64, wantGroup int, wantPlace uint64) {
	v, ok := vectors[key]
	if !ok {
		t.Errorf("the document has a key that this test does not know: %s", key)
		return
	}
	got, err := v()
	if err != nil {
		t.Fatal(err)
	}
	groups := id.KeyGroupsOf(128)
	line := func(h uint64, group int, place uint64) string {
		return fmt.Sprintf("%#016x | %d | %#016x", h, group, place)
	}
	if have, want := line(got, groups.Of(got), groups.Place(got)), line(want, wantGroup, wantPlace); have != want {
		t.Errorf("| `%s` | %s |\ndocumented: %s", key, have, want)
	}
}

func TestHashOfRefusesWhatCannotBeStored(t *testing.T) {
	type inner struct{ Weight float32 }
	type key struct {
		ID    int
		Inner [3]inner
	}
	for want, err := range map[string]error{
		"id_test.key.Inner[].Weight cannot be a key: it is a floating-point number (float32)": refused[key](),
		"*int cannot be a key: it is a pointer (*int)":                                        refused[*int](),
		"error cannot be a key: it is an interface (error)":                                   refused[error](),
		"chan int cannot be a key: it is a channel (chan int)":                                refused[chan int](),
		"complex128 cannot be a key: it is a floating-point number (complex128)":              refused[complex128](),
		"time.Time cannot be a key: == on time.Time compares locations, too; use UnixMilli":   refused[time.Time](),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func refused[K comparable]() error {
	_, err := id.HashOf[K]()
	return err
}

func TestHashingDoesNotAllocate(t *testing.T) {
	ints, _ := id.HashOf[int64]()
	words, _ := id.HashOf[string]()
	structs, _ := id.HashOf[nested]()
	var sum uint64
	n := testing.AllocsPerRun(100, func() {
		sum += ints(7) + words("seven") + structs(nested{A: pair{"seven", 7}})
	})
	if n != 0 {
		t.Errorf("%v allocations for three hashes (%d)", n, sum)
	}
}

func BenchmarkHash(b *testing.B) {
	ints, _ := id.HashOf[int64]()
	words, _ := id.HashOf[string]()
	structs, _ := id.HashOf[pair]()
	var sum uint64
	b.Run("int64", func(b *testing.B) {
		for i := range b.N {
			sum += ints(int64(i))
		}
	})
	b.Run("string", func(b *testing.B) {
		for range b.N {
			sum += words("a word of text")
		}
	})
	b.Run("struct", func(b *testing.B) {
		for i := range b.N {
			sum += structs(pair{"a word of text", int32(i)})
		}
	})
	b.Run("place", func(b *testing.B) {
		groups := id.KeyGroupsOf(128)
		for i := range b.N {
			sum += groups.Place(uint64(i))
		}
	})
	if sum == 1 {
		b.Log("unlikely")
	}
}
