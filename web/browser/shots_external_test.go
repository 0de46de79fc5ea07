//go:build external

package browser

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// looks are how each place is looked at.
var looks = []look{
	{1440, 900, "light", 0}, {1440, 900, "dark", 0}, {390, 844, "light", 0}, {390, 844, "dark", 0},
}

// stage is the cluster of the scene: jobs that fare well, badly, and not any more.
func stage(s *scene) {
	c := startCluster(s.t, 2, 4)
	c.run(map[string]string{"words": "RUNNING", "payments": "RUNNING", "failing": "RUNNING", "failed": "FAILED", "finished": "FINISHED"})
	c.rest()
	s.take(c, everyPlace)
}

// Every place looks as it did when somebody last said that it is right, has its words, and nothing that keeps people from using it.
// Pictures as they are today are written to the folder that SHOTS names.
func TestExternalPictures(t *testing.T) {
	s := showScene(t, "cluster", stage)
	for _, l := range looks {
		l.still = s.At
		t.Run(fmt.Sprintf("%d-%s", l.width, l.theme), func(t *testing.T) {
			for _, p := range everyPlace {
				t.Run(p.name, func(t *testing.T) {
					tb := open(t, s.url, at(t, s, p.hash), l)
					tb.says(p.says)
					tb.settle()
					tb.narrow()
					shot := tb.picture()
					keepPicture(t, p.file(l), shot)
					comparePicture(t, p.file(l), shot)
					tb.usable()
				})
			}
		})
	}
}

// narrow wants that nobody has to scroll sideways.
func (tb *tab) narrow() {
	tb.t.Helper()
	if over := eval[int](tb, "document.documentElement.scrollWidth - innerWidth"); over > 0 {
		tb.t.Errorf("the page is %d px too wide", over)
	}
}

func (tb *tab) picture() image.Image {
	tb.t.Helper()
	raw, err := chromedp.Run(tb.ctx, chromedp.CaptureScreenshot())
	tb.must(err)
	shot, err := png.Decode(bytes.NewReader(raw))
	tb.must(err)
	return shot
}

// keepPicture writes the picture for people to look at.
func keepPicture(t *testing.T, name string, shot image.Image) {
	t.Helper()
	if folder := os.Getenv("SHOTS"); folder != "" {
		writePicture(t, filepath.Join(folder, name), shot)
	}
}

func writePicture(t *testing.T, path string, shot image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, shot); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Pictures are compared at a quarter of their size, which forgives how letters are drawn, and nothing that people would see.
const (
	shrink        = 4
	tolerance     = 24    // of 255, for each colour of a point
	mostDifferent = 0.005 // of all points
)

// comparePicture wants the picture that is committed.
func comparePicture(t *testing.T, name string, shot image.Image) {
	t.Helper()
	path := filepath.Join("testdata", "shots", name)
	small := shrunk(shot)
	if *update {
		writePicture(t, path, small)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := png.Decode(f)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	if want.Bounds() != small.Bounds() {
		t.Fatalf("it is %v, and was %v", small.Bounds(), want.Bounds())
	}
	if part := different(small, want); part > mostDifferent {
		t.Errorf("%.2f%% of it looks otherwise than %s; with SHOTS=FOLDER it is written there; if it is right, run with -update", 100*part, path)
	}
}

// shrunk is the picture with the mean of some points in place of each, and fewer colours, which makes its file small.
func shrunk(shot image.Image) *image.RGBA {
	size := shot.Bounds().Size().Div(shrink)
	small := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			small.SetRGBA(x, y, mean(shot, shot.Bounds().Min.Add(image.Pt(x*shrink, y*shrink))))
		}
	}
	return small
}

func mean(shot image.Image, corner image.Point) color.RGBA {
	var r, g, b uint32
	for dy := range shrink {
		for dx := range shrink {
			pr, pg, pb, _ := shot.At(corner.X+dx, corner.Y+dy).RGBA()
			r, g, b = r+pr>>8, g+pg>>8, b+pb>>8
		}
	}
	const points, coarse = shrink * shrink, 0xf0
	return color.RGBA{uint8(r/points) & coarse, uint8(g/points) & coarse, uint8(b/points) & coarse, 0xff}
}

// different is the part of points that differ.
func different(a, b image.Image) float64 {
	n, size := 0, a.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			if far(a.At(x, y), b.At(x, y)) {
				n++
			}
		}
	}
	return float64(n) / float64(size.X*size.Y)
}

func far(a, b color.Color) bool {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	for _, d := range []int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb)} {
		if max(d, -d)>>8 > tolerance {
			return true
		}
	}
	return false
}

//go:embed testdata/axe/axe.min.js
var axe string

// A finding is what axe has against a page.
type finding struct {
	ID, Help string
	Nodes    []struct {
		HTML           string
		FailureSummary string
	}
}

// usable wants that axe finds nothing: contrast, names, roles, order.
func (tb *tab) usable() {
	tb.t.Helper()
	eval[chromedp.Void](tb, axe)
	text := eval[string](tb, `axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations))`)
	var findings []finding
	tb.must(json.Unmarshal([]byte(text), &findings))
	for _, f := range findings {
		for _, n := range f.Nodes {
			tb.t.Errorf("%s (%s): %s\n%s", f.ID, f.Help, n.HTML, n.FailureSummary)
		}
	}
}
