package connector_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/flott-dev/flott/connector"
)

func TestOffset(t *testing.T) {
	for _, c := range []struct {
		position []byte
		want     int64
		wrong    bool
	}{
		{nil, 0, false},
		{connector.Offset(0), 0, false},
		{connector.Offset(1 << 62), 1 << 62, false},
		{[]byte("x"), 0, true},
		{[]byte("-1"), 0, true},
		{[]byte("1 "), 0, true},
		{[]byte("9223372036854775808"), 0, true},
	} {
		got, err := connector.Split{ID: "a", Position: c.position}.Offset()
		if (err != nil) != c.wrong || got != c.want {
			t.Errorf("position %q is %d, %v; want %d, wrong %v", c.position, got, err, c.want, c.wrong)
		}
	}
}

func FuzzDecodeSplits(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte{2})
	f.Add(connector.EncodeSplits(nil))
	f.Add(connector.EncodeSplits([]connector.Split{{ID: "a"}, {ID: "b\xff", Position: connector.Offset(17)}, {}}))
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		splits, err := connector.DecodeSplits(b)
		if err != nil {
			return
		}
		again, err := connector.DecodeSplits(connector.EncodeSplits(splits))
		if err != nil || !reflect.DeepEqual(again, splits) {
			t.Errorf("splits %v came back as %v, %v", splits, again, err)
		}
	})
}

func TestDecodeSplitsFindsEveryTruncation(t *testing.T) {
	whole := connector.EncodeSplits([]connector.Split{{ID: "abc", Position: connector.Offset(12)}})
	for n := range len(whole) {
		splits, err := connector.DecodeSplits(whole[:n])
		if n == 1 { // the format's number alone: no splits
			if err != nil || len(splits) != 0 {
				t.Errorf("no splits decoded as %v, %v", splits, err)
			}
		} else if err == nil {
			t.Errorf("the first %d bytes of %d decoded as %v", n, len(whole), splits)
		}
	}
	if _, err := connector.DecodeSplits(bytes.Replace(whole, whole[:1], []byte{9}, 1)); err == nil {
		t.Error("another format was decoded")
	}
}
