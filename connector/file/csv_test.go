package file

import (
	"encoding/csv"
	"fmt"
	"net/netip"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/connectortest"
)

func TestCSVConforms(t *testing.T) {
	want := orders(200)
	table := func(orders []order) string {
		var text strings.Builder
		text.WriteString("\ufeffAt,ignored,PRICE,item,id\r\n")
		w := csv.NewWriter(&text)
		for _, o := range orders {
			if err := w.Write([]string{o.At.Format(time.RFC3339), "?", fmt.Sprint(o.Price), o.Item, fmt.Sprint(o.ID)}); err != nil {
				t.Fatal(err)
			}
		}
		w.Flush()
		return text.String()
	}
	dir := write(t, map[string]string{"a.csv": table(want[:50]), "b.csv.gz": table(want[50:120]), "c.csv.zst": table(want[120:]), "empty.csv": ""})
	connectortest.Source(t, connectortest.SourceCase[order]{
		New:  func() connector.Source[order] { return withSizes(CSV[order](dir), 10, 10) },
		Want: want,
	})
}

type base struct{ Kind string }

type everything struct {
	base
	Bool    bool
	Int8    int8
	Uint    uint16
	F       float32 `csv:"a float"`
	Wait    time.Duration
	At      time.Time
	Addr    netip.Addr
	Left    *int
	Missing *string
	Unread  chan int        `csv:"-"`
	Hidden  struct{ X int } `csv:"-"`
}

func TestCSV(t *testing.T) {
	dir := write(t, map[string]string{"f": `kind,bool,INT8,uint,a float,wait,at,addr,left
"x ""y""
z",true,-128,65535,1.5,1m30s,2024-02-29T01:02:03+01:00,10.0.0.1,7
,false,1,2,-3e2,0s,2024-01-01T00:00:00Z,::1,
`})
	got, err := readAll(t, CSV[everything](dir))
	seven := 7
	want := []everything{
		{
			base: base{"x \"y\"\nz"}, Bool: true, Int8: -128, Uint: 65535, F: 1.5, Wait: 90 * time.Second,
			At: time.Date(2024, 2, 29, 1, 2, 3, 0, time.FixedZone("", 3600)), Addr: netip.MustParseAddr("10.0.0.1"), Left: &seven,
		},
		{Int8: 1, Uint: 2, F: -300, At: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), Addr: netip.MustParseAddr("::1")},
	}
	if err != nil || len(got) != 2 {
		t.Fatalf("read %+v, %v", got, err)
	}
	if !got[0].At.Equal(want[0].At) {
		t.Errorf("read time %v, want %v", got[0].At, want[0].At)
	}
	got[0].At = want[0].At // another pointer to a time zone
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, want %+v", got, want)
	}
}

func TestCSVErrorsNameLineAndColumn(t *testing.T) {
	const header = "id,item,price,at\n"
	const good = "1,\"two\nlines\",2,2024-01-01T00:00:00Z\n"
	for text, want := range map[string]string{
		header + good + "x,a,2,2024-01-01T00:00:00Z\n":             `f:4: column "ID": "x" is no int64`,
		header + good + good + "\n1,a,,2024-01-01T00:00:00Z\n":     `f:7: column "Price": the value is empty; a pointer field`,
		header + "99999999999999999999,a,2,2024-01-01T00:00:00Z\n": `f:2: column "ID": "99999999999999999999" is out of the range of int64`,
		header + good + "1,\"a\nb\",2,tomorrow":                    `f:5: column "At": parsing time "tomorrow"`,
		header + good + "1,2\n":                                    "f:4: wrong number of fields: the header has 4",
		header + good + "1,a\"b,2,2024-01-01T00:00:00Z\n":          `f:4: bare "`,
		"id,price\n" + good:                                        `f: the header (id, price) has no column "item" (a pointer field may be without one), no column "At"`,
		"\n\n":                                                     "f: it has empty lines only, and no header",
		"id,ID,item,price,at\n":                                    `f: the header (id, ID, item, price, at) has column "ID" 2 times`,
	} {
		dir := write(t, map[string]string{"f": text})
		_, err := readAll(t, CSV[order](dir))
		if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, want)) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// The line must be right too for who went on in the midst of the file.
func TestCSVErrorAfterRestoreNamesTheLine(t *testing.T) {
	text := "id,item,price,at\n1,\"a\nb\",2,2024-01-01T00:00:00Z\n"
	dir := write(t, map[string]string{"f": text + "x,a,2,2024-01-01T00:00:00Z\n"})
	r, err := CSV[order](dir).Reader(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	id := filepath.Join(dir, "f") + "[0:]"
	if err := r.Assign([]connector.Split{{ID: id, Position: connector.Offset(int64(len(text)))}}); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for err == nil && time.Now().Before(deadline) {
		_, err = r.Read(&connector.Batch[order]{V: make([]order, 0, 1)})
	}
	if want := `f:4: column "ID": "x" is no int64`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestMistakesAreFoundBeforeTheJob(t *testing.T) {
	dir := write(t, map[string]string{"good.csv": "id,item,price,at\n", "bad.csv": "id\n"})
	type unreadable struct {
		OK   int
		Bad  map[string]int
		Deep **int
		*base
	}
	check := func(s any) error { return s.(connector.Checker).Check() }
	for name, c := range map[string]struct {
		err  error
		want []string
	}{
		"good":           {err: check(CSV[order](filepath.Join(dir, "good.csv")))},
		"lines":          {err: check(Lines(dir))},
		"no header fits": {check(CSV[order](dir)), []string{`bad.csv: the header (id) has no column "item"`, `no column "Price"`, `no column "At"`}},
		"missing paths":  {check(JSON[int]("no.json", "neither.json")), []string{"no.json", "neither.json"}},
		"no struct":      {check(CSV[int](dir)), []string{"into a struct", "int is none"}},
		"no fields":      {check(CSV[struct{ x int }](dir)), []string{"no exported field"}},
		"path and type": {check(CSV[unreadable]("no.csv")), []string{
			"no.csv", "field Bad of file.unreadable: CSV cannot be read into a map[string]int", "field Deep", "embedded pointer",
		}},
	} {
		if (c.err != nil) != (len(c.want) > 0) {
			t.Errorf("%s: Check returned %v", name, c.err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(c.err.Error(), want) {
				t.Errorf("%s: error %q does not say %q", name, c.err, want)
			}
		}
	}
}

func FuzzCSV(f *testing.F) {
	f.Add("id,item,price,at\n1,\"two\nlines\",2,2024-01-01T00:00:00Z\n", uint8(1))
	f.Add("\ufeff\"id\",item,price,at\r\n1,x,2,2024-01-01T00:00:00Z", uint8(0))
	f.Add("id,id\n", uint8(0))
	f.Fuzz(func(t *testing.T, text string, after uint8) {
		dir := write(t, map[string]string{"f": text})
		want, err := readAll(t, CSV[order](dir))
		got := restoredAfter(t, CSV[order](dir), int(after))
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q restored after %d records: %+v, want %+v", text, after, got, want)
		}
	})
}

// restoredAfter reads n records with one reader and the rest with another one.
func restoredAfter[T any](t testing.TB, s connector.Source[T], n int) (records []T) {
	t.Helper()
	e, err := s.Enumerator(t.Context(), connector.Setup{Parallelism: 1})
	if err != nil {
		t.Fatal(err)
	}
	splits, _, err := e.Next(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	wake := make(chan struct{}, 1)
	for _, most := range []int{n, 1 << 30} {
		r, err := s.Reader(t.Context(), func() { wake <- struct{}{} })
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Assign(splits); err != nil {
			t.Fatal(err)
		}
		for status := connector.More; len(records) < most && status != connector.Done && err == nil; {
			b := connector.Batch[T]{V: make([]T, 0, 1)}
			if status, err = r.Read(&b); status == connector.Wait && err == nil {
				<-wake
			}
			records = append(records, b.V...)
		}
		if splits, err = r.Snapshot(); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return records
}

func TestQuoteThatIsNotClosed(t *testing.T) {
	dir := write(t, map[string]string{"f": "id,item,price,at\n1,a,2,2024-01-01T00:00:00Z\n2,\"" + strings.Repeat("text\n", 4<<20)})
	got, err := readAll(t, CSV[order](dir))
	if want := "f:3: the record is longer than 16 MiB; a quote may not be closed"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	if len(got) != 1 {
		t.Errorf("read %d records before the error, want 1", len(got))
	}
}

// A record is one, also if there is nothing in it for T.
func TestCSVWithoutTheColumns(t *testing.T) {
	type note struct{ Note *string }
	got, err := readAll(t, CSV[note](write(t, map[string]string{"f": "id\n1\n2\n", "empty": ""})))
	if err != nil || len(got) != 2 || got[0].Note != nil {
		t.Errorf("read %v, %v; want two records without a note", got, err)
	}
}
