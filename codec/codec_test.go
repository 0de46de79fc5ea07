package codec

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/avro"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"pgregory.net/rapid"
)

type Base struct {
	ID   uint32
	Seen time.Time
}

type Level int8

type Point struct{ X, Y float64 }

type Tree struct {
	Name     string
	Left     *Tree
	Children []Tree
}

// Usual has all kinds that are compiled and that the library writes, too.
type Usual struct {
	Base
	Flag    bool `avro:"flag"`
	A       int8
	B       int16
	C       int32
	D       int64
	E       int
	F       uint8
	G       uint16
	H       uint64
	Single  float32
	Double  float64
	Text    string
	Bytes   []byte
	Fixed   [4]byte
	Level   Level
	Took    time.Duration
	Milli   time.Time `avro:",timestamp-millis"`
	Micro   time.Time `avro:",timestamp-micros"`
	At      Point
	Again   Point
	Corners [2]Point
	Words   []string
	Points  []Point
	Grid    [][]int64
	Counts  map[string]int64
	ByName  map[string]Point
	Perhaps *int64
	Near    *Point
	Tree    *Tree
	Many    []*Point
	hidden  int
	Left    func() `avro:"-"`
}

func drawTime(t *rapid.T, step time.Duration) time.Time {
	n := rapid.Int64Range(-4e18, 4e18).Draw(t, "nanos")
	return time.Unix(0, n).UTC().Truncate(step)
}

func drawTree(t *rapid.T, depth int) *Tree {
	if depth == 0 || rapid.Bool().Draw(t, "leaf") {
		return nil
	}
	tree := &Tree{Name: rapid.String().Draw(t, "name"), Left: drawTree(t, depth-1)}
	if child := drawTree(t, depth-1); child != nil {
		tree.Children = []Tree{*child}
	}
	return tree
}

func drawSlice[E any](t *rapid.T, g *rapid.Generator[E]) []E {
	s := rapid.SliceOfN(g, 0, 4).Draw(t, "slice")
	if len(s) == 0 {
		return nil
	}
	return s
}

// drawMap draws at most one entry, as the order of more differs from one encoder to the other.
func drawMap[E any](t *rapid.T, g *rapid.Generator[E]) map[string]E {
	m := rapid.MapOfN(rapid.String(), g, 0, 1).Draw(t, "map")
	if len(m) == 0 {
		return nil
	}
	return m
}

var points = rapid.Custom(func(t *rapid.T) Point {
	return Point{rapid.Float64().Draw(t, "x"), rapid.Float64().Draw(t, "y")}
})

func drawUsual(t *rapid.T) *Usual {
	u := &Usual{
		Base: Base{rapid.Uint32().Draw(t, "id"), drawTime(t, 1)},
		Flag: rapid.Bool().Draw(t, "flag"),
		A:    rapid.Int8().Draw(t, "a"), B: rapid.Int16().Draw(t, "b"), C: rapid.Int32().Draw(t, "c"), D: rapid.Int64().Draw(t, "d"),
		E: rapid.Int().Draw(t, "e"), F: rapid.Uint8().Draw(t, "f"), G: rapid.Uint16().Draw(t, "g"),
		H:      rapid.Uint64Max(math.MaxInt64).Draw(t, "h"), // the library has no larger ones
		Single: rapid.Float32().Draw(t, "single"), Double: rapid.Float64().Draw(t, "double"),
		Text: rapid.String().Draw(t, "text"), Bytes: drawSlice(t, rapid.Byte()),
		Level: Level(rapid.Int8().Draw(t, "level")), Took: time.Duration(rapid.Int64().Draw(t, "took")),
		Milli: drawTime(t, time.Millisecond), Micro: drawTime(t, time.Microsecond),
		At: points.Draw(t, "at"), Corners: [2]Point{points.Draw(t, "corner")}, Again: points.Draw(t, "again"),
		Words: drawSlice(t, rapid.String()), Points: drawSlice(t, points), Grid: [][]int64{drawSlice(t, rapid.Int64()), nil},
		Counts: drawMap(t, rapid.Int64()), ByName: drawMap(t, points),
		Tree: drawTree(t, 3),
		Many: []*Point{nil, new(points.Draw(t, "many"))},
	}
	copy(u.Fixed[:], u.Text)
	if u.Flag {
		u.Perhaps, u.Near = &u.D, &u.At
	}
	return u
}

func must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

// What the library writes and reads for our schema is what we write and read.
func TestSameBytesAsTheLibrary(t *testing.T) {
	c := must(Of[Usual]())
	library := avro.MustParse(c.Schema())
	rapid.Check(t, func(t *rapid.T) {
		u := drawUsual(t)
		ours, theirs := must(c.Append(nil, u)), must(library.Encode(u))
		if !bytes.Equal(ours, theirs) {
			t.Fatalf("ours\n%x\ntheirs\n%x", ours, theirs)
		}
		back := Usual{Words: []string{"left from before"}, Perhaps: new(int64(1)), Counts: map[string]int64{"old": 1}}
		rest := must(c.Decode(append(ours, "rest"...), &back))
		if string(rest) != "rest" || !reflect.DeepEqual(&back, u) {
			t.Fatalf("%q left; got\n%+v\nof\n%+v", rest, back, u)
		}
	})
}

func TestBlockRoundTrip(t *testing.T) {
	b := BlockOf(must(Of[Usual]()))
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 5).Draw(t, "n")
		var want Columns[Usual]
		withTime, withHash := rapid.Bool().Draw(t, "ts"), rapid.Bool().Draw(t, "h")
		for range n {
			want.V = append(want.V, *drawUsual(t))
			if withTime {
				want.TS = append(want.TS, rapid.Int64().Draw(t, "ts"))
			}
			if withHash {
				want.H = append(want.H, rapid.Uint64().Draw(t, "h"))
			}
		}
		got := Columns[Usual]{V: make([]Usual, 3), TS: make([]int64, 1)}
		bytes := must(b.Append(nil, want.V, want.TS, want.H))
		if err := b.Decode(bytes, &got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.TS, want.TS) || !slices.Equal(got.H, want.H) || len(got.V) != n {
			t.Fatalf("got %v of %v", got, want)
		}
		for i := range want.V {
			if !reflect.DeepEqual(got.V[i], want.V[i]) {
				t.Fatalf("record %d is\n%+v, not\n%+v", i, got.V[i], want.V[i])
			}
		}
	})
}

type key struct{ A, B int32 }

type Alone struct {
	Price  *big.Rat `avro:",decimal(20,2)"`
	Addr   netip.Addr
	ByKey  map[key]string
	Keyed  map[int64][]byte
	Hash   uint64
	Zero   time.Time
	Proto  *durationpb.Duration
	Again  [2]Point
	Set    map[string]struct{}
	Inline struct{ X, Y string }
}

// A protobuf message may be the record itself, as what it is used as: a pointer.
func TestMessagesAsRecords(t *testing.T) {
	c := must(Of[*durationpb.Duration]())
	b := BlockOf(c)
	for _, all := range [][]*durationpb.Duration{{durationpb.New(time.Hour), {}, durationpb.New(-1)}, {nil}} {
		var rows []byte
		for i := range all {
			rows = must(c.Append(rows, &all[i]))
		}
		var columns Columns[*durationpb.Duration]
		if err := b.Decode(must(b.Append(nil, all, nil, nil)), &columns); err != nil {
			t.Fatal(err)
		}
		for i, want := range all {
			var got *durationpb.Duration
			rows = must(c.Decode(rows, &got))
			if !proto.Equal(got, want) || !proto.Equal(columns.V[i], want) || (want == nil) != (got == nil) {
				t.Errorf("%v became %v as a row, and %v in a block", want, got, columns.V[i])
			}
		}
	}
}

// What the library refuses, or has no bytes for, comes back as well.
func TestRoundTripBeyondTheLibrary(t *testing.T) {
	c := must(Of[Alone]())
	want := Alone{
		Price: big.NewRat(12345, 100), Addr: netip.MustParseAddr("2001:db8::1"), ByKey: map[key]string{{1, 2}: "x", {3, 4}: "y"},
		Keyed: map[int64][]byte{-1: []byte("a")}, Hash: math.MaxUint64, Proto: durationpb.New(time.Hour),
		Set: map[string]struct{}{"a": {}, "b": {}}, Inline: struct{ X, Y string }{"x", "y"},
	}
	var got Alone
	if rest := must(c.Decode(must(c.Append(nil, &want)), &got)); len(rest) > 0 {
		t.Errorf("%d bytes are left", len(rest))
	}
	if !proto.Equal(got.Proto, want.Proto) || got.Price.Cmp(want.Price) != 0 {
		t.Errorf("got %v and %v", got.Proto, got.Price)
	}
	got.Proto, got.Price = want.Proto, want.Price
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, not\n%+v", got, want)
	}
}

func roundTrip[T any](t *testing.T, want T) {
	t.Helper()
	c, err := Of[T]()
	if err != nil {
		t.Fatal(err)
	}
	var got T
	if _, err := c.Decode(must(c.Append(nil, &want)), &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v became %v (%v)", want, got, err)
	}
}

func TestTypesThatAreNoStructs(t *testing.T) {
	roundTrip(t, "word")
	roundTrip(t, int64(-7))
	roundTrip(t, []string{"a", ""})
	roundTrip(t, map[string]int{"a": 1, "b": 2})
	roundTrip(t, struct{}{})
	roundTrip(t, &Point{1, 2})
	roundTrip(t, (*Point)(nil))
	roundTrip(t, [3]bool{true})
	roundTrip(t, time.Unix(1, 999).UTC())
	roundTrip(t, time.Time{})
}

type Bad struct {
	Run   func()
	In    []struct{ C chan int }
	Any   map[string]any
	In2   sync.Mutex
	Own   *big.Rat
	Fine  string
	Twice int `avro:"Fine"`
	Loop  loop
}

type loop []loop

func TestTypeErrorsNameAllFields(t *testing.T) {
	_, err := Of[Bad]()
	var e *TypeError
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	var paths []string
	for _, p := range e.Problems {
		paths = append(paths, p.Path)
	}
	want := []string{"Bad.Run", "Bad.In[].C", "Bad.Any[]", "Bad.In2", "Bad.Own", "Bad.Twice", "Bad.Loop"}
	if !slices.Equal(paths, want) {
		t.Errorf("the problems are with %v, not with %v", paths, want)
	}
	if text := err.Error(); !strings.Contains(text, "codec.Bad") || !strings.Contains(text, "Bad.In[].C (chan int)") {
		t.Error(text)
	}
}

func TestUnexportedFieldsStayBehind(t *testing.T) {
	c := must(Of[Usual]())
	var got Usual
	must(c.Decode(must(c.Append(nil, &Usual{A: 1, hidden: 1})), &got))
	if got.A != 1 || got.hidden != 0 {
		t.Errorf("got %d and %d", got.A, got.hidden)
	}
}

type part struct {
	Name string
	n    int
}

type promoted struct {
	Up   int
	down int
}

// Partly has unexported fields in all places where one can be lost, and where none is.
type Partly struct {
	promoted
	Direct  part
	Again   part // named where it is met first
	List    []struct{ A, b int }
	ByName  map[string]*struct{ A, c int }
	ByKey   map[struct{ A, d int }]int
	Next    *Partly
	kept    int  `avro:"-"`
	Omitted part `avro:"-"`
	_       int
	At      time.Time
	Price   *big.Rat `avro:",decimal(9,2)"`
	Address netip.Addr
	Message *durationpb.Duration
	Loud    []shouting
}

func TestWholeNamesWhatIsLeftOut(t *testing.T) {
	set := &Set{}
	if err := Register(set, shout{}); err != nil {
		t.Fatal(err)
	}
	c := must(In[Partly](set))
	got, full := Partly{}, Partly{
		promoted: promoted{1, 2}, Direct: part{"direct", 2}, Again: part{"again", 2}, List: []struct{ A, b int }{{1, 2}},
		ByName: map[string]*struct{ A, c int }{"": {1, 2}}, ByKey: map[struct{ A, d int }]int{{1, 2}: 1}, kept: 2,
	}
	must(c.Decode(must(c.Append(nil, &full)), &got))
	if n := got.down + got.Direct.n + got.Again.n + got.List[0].b + got.ByName[""].c + got.kept; n != 0 || got.ByKey[struct{ A, d int }{A: 1}] != 1 {
		t.Errorf("something was carried: %+v", got)
	}
	err := Whole(c)
	var e *TypeError
	if !errors.As(err, &e) {
		t.Fatalf("%v", err)
	}
	var paths []string
	for _, p := range e.Problems {
		paths = append(paths, p.Path)
	}
	want := []string{"Partly.down", "Partly.Direct.n", "Partly.List[].b", "Partly.ByName[].c", "Partly.ByKey[key].d"}
	if !slices.Equal(paths, want) {
		t.Errorf("left out are %v, not %v", paths, want)
	}
	if text := err.Error(); !strings.Contains(text, "Partly.Direct.n (int): it is unexported") || !strings.Contains(text, "give codec.part a codec") {
		t.Error(text)
	}
}

func TestWholeTrustsOtherCodecs(t *testing.T) {
	set := &Set{}
	if err := Register(set, shout{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []any{must(In[shouting](set)), must(In[holder](set)), must(Of[durationpb.Duration]()), must(Of[Ring]())} {
		if err := Whole(c); err != nil {
			t.Errorf("%T: %v", c, err)
		}
	}
}

type Ring struct{ Next *Ring }

func TestValuesThatCannotBeEncoded(t *testing.T) {
	r := &Ring{}
	r.Next = r
	if _, err := must(Of[Ring]()).Append(nil, r); !errors.Is(err, errDeep) {
		t.Errorf("a ring: %v", err)
	}
	far := Base{Seen: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}
	_, err := must(Of[Base]()).Append(nil, &far)
	if !errors.Is(err, errTime) || !strings.Contains(err.Error(), "Base.Seen") {
		t.Errorf("the year 9999: %v", err)
	}
}

// Outline leads back to itself before it has any other field.
type Outline struct {
	Parts []Outline
	Size  [32]float64
}

// Bytes that promise many records take no memory for more of them than they can hold.
func TestPromisesOfRecursiveRecords(t *testing.T) {
	c, in := must(Of[Outline]()), append(appendLong(nil, 1<<20), make([]byte, 1<<20)...)
	price.Pay(t, len(in), func() {
		var v Outline
		if _, err := c.Decode(in, &v); !errors.Is(err, errLength) {
			t.Errorf("the error is %v", err)
		}
	})
}

type shouting struct{ fmt string }

type shout struct{}

func (shout) Schema() string { return "loud" }

func (shout) Append(dst []byte, v *shouting) ([]byte, error) {
	return append(dst, strings.ToUpper(v.fmt)...), nil
}

func (shout) Decode(src []byte, v *shouting) ([]byte, error) { v.fmt = string(src); return nil, nil }

type holder struct{ Words []shouting }

func TestOwnCodecs(t *testing.T) {
	var s Set
	if err := Register(&s, Codec[shouting](shout{})); err != nil {
		t.Fatal(err)
	}
	if c := must(In[shouting](&s)); c != Codec[shouting](shout{}) {
		t.Errorf("the codec is %v", c)
	}
	if err := Register(&s, Codec[shouting](shout{})); err == nil {
		t.Error("a type has two codecs")
	}
	if err := Register[int](&s, nil); err == nil {
		t.Error("a codec is nil")
	}
	c := must(In[holder](&s))
	long := strings.Repeat("long", 99)
	var got holder
	must(c.Decode(must(c.Append(nil, &holder{[]shouting{{"a"}, {long}}})), &got))
	if !slices.Equal(got.Words, []shouting{{"A"}, {strings.ToUpper(long)}}) {
		t.Errorf("got %v", got)
	}
}

func TestEncodingDoesNotAllocate(t *testing.T) {
	c := must(Of[Usual]())
	n := int64(1)
	u := &Usual{Words: []string{"a"}, Counts: map[string]int64{"a": 1}, Perhaps: &n, Near: &Point{}, Points: []Point{{}}, Bytes: []byte("b")}
	buffer := make([]byte, 0, 1024)
	if allocs := testing.AllocsPerRun(100, func() { must(c.Append(buffer, u)) }); allocs > 0 {
		t.Errorf("%v allocations a record", allocs)
	}
}

// What has no strings is decoded without allocation, and what has some with one for each chunk of them.
func TestDecodingBlocksAllocatesChunks(t *testing.T) {
	decodingAllocates(t, spots(), 0)
	decodingAllocates(t, counts(), 12)
	decodingAllocates(t, bids(), 100)
}

func decodingAllocates[T any](t *testing.T, all []T, atMost float64) {
	b := BlockOf(must(Of[T]()))
	in := must(b.Append(nil, all, nil, nil))
	var to Columns[T]
	if allocs := testing.AllocsPerRun(10, func() { noError(b.Decode(in, &to)) }); allocs > atMost {
		t.Errorf("%v allocations for a block of %T, not %v", allocs, all, atMost)
	}
}

// A string holds on to the strings of its chunk, never to a whole block.
func TestChunksOfBlocksAreSmall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.IntRange(0, 2*chunk), 1, 20).Draw(t, "lengths")
		n, size := chunkful(lengths)
		sum := 0
		for _, l := range lengths[:n] {
			sum += l
		}
		if size != sum || n > 1 && size > chunk || n < len(lengths) && size+lengths[n] <= chunk {
			t.Fatalf("a chunk of %d strings with %d bytes", n, size)
		}
	})
}

// Decoded strings stay as they are when the bytes they came from are overwritten, and when one of them is appended to.
func TestDecodedValuesAreTheirOwn(t *testing.T) {
	b := BlockOf(must(Of[[]byte]()))
	src := must(b.Append(nil, [][]byte{[]byte("ab"), []byte("cd")}, nil, nil))
	var c Columns[[]byte]
	if err := b.Decode(src, &c); err != nil {
		t.Fatal(err)
	}
	clear(src)
	_ = append(c.V[0], 'x')
	if string(c.V[0]) != "ab" || string(c.V[1]) != "cd" {
		t.Errorf("got %q", c.V)
	}
}
