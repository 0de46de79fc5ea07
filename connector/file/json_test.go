package file

import (
	"encoding/json/v2"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/connectortest"
)

type order struct {
	ID    int64
	Item  string `json:"item" csv:"item"`
	Price float64
	At    time.Time
}

func orders(n int) []order {
	orders := make([]order, n)
	for i := range orders {
		orders[i] = order{
			ID: int64(i), Item: fmt.Sprintf("a \"fine\"\nthing, number %d", i), Price: float64(i) / 4,
			At: time.Date(2024, 2, 29, 1, 2, i%60, 0, time.UTC),
		}
	}
	return orders
}

func TestJSONConforms(t *testing.T) {
	want := orders(300)
	var text strings.Builder
	for _, o := range want {
		b, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(string(b) + "\n\n")
	}
	dir := write(t, map[string]string{"orders.jsonl": text.String()})
	connectortest.Source(t, connectortest.SourceCase[order]{
		New:  func() connector.Source[order] { return withSizes(JSON[order](dir), 3000, 3000) },
		Want: want,
	})
}

func TestJSON(t *testing.T) {
	type nested struct {
		Name string
		Tags []string
		More map[string]int
		Next *nested
	}
	dir := write(t, map[string]string{"f": `{"NAME":"a","tags":["x","y"],"more":{"k":1},"next":{"name":"b"},"unknown":[1]}

  {"name":"c"}` + "\r\n"})
	got, err := readAll(t, JSON[nested](dir))
	want := []nested{{"a", []string{"x", "y"}, map[string]int{"k": 1}, &nested{Name: "b"}}, {Name: "c"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v; want %+v", got, err, want)
	}
}

func TestJSONErrorsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		`{"id":1}` + "\n" + `{"id":"x"}`: `f:2: json: *unmarshal JSON string into Go int64 within "/id"`,
		`{"id":1}` + "\n\n" + `{"id":`:   "f:3: ",
		`{"id":1} {"id":2}`:              "f:1: ",
	} {
		dir := write(t, map[string]string{"f": text})
		_, err := readAll(t, withSizes(JSON[order](dir), 4, 4))
		place, what, _ := strings.Cut(want, "*")
		if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, place)) || !strings.Contains(err.Error(), what) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"ID":1,"item":"x","Price":2.5,"At":"2024-02-29T01:02:03Z"}` + "\n\n" + `{"id":2}`)
	f.Add("null\n[]\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := write(t, map[string]string{"f": text})
		whole, err := readAll(t, JSON[order](dir))
		size := max(3, int64(len(text)/50))
		inRanges, errRanges := readAll(t, withSizes(JSON[order](dir), size, size))
		if !reflect.DeepEqual(whole, inRanges) || (err == nil) != (errRanges == nil) {
			t.Errorf("%q is read whole as %v, %v; in ranges as %v, %v", text, whole, err, inRanges, errRanges)
		}
	})
}
