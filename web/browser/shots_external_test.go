//go:build external

package browser

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// looks are how each place is looked at.
var looks = []look{{1440, 900, "light", 0}, {390, 844, "light", 0}}

// Every place looks as it did when somebody last said that it is right, has its words, and nothing that keeps people from using it: on a
// desk and on a phone, in light and in dark. Pictures as they are today are written to the folder that SHOTS names.
func TestExternalPictures(t *testing.T) {
	for name := range stages {
		t.Run(name, func(t *testing.T) {
			if *record {
				recordScene(t, name)
			}
			for _, p := range everyPlace {
				if p.scene == name {
					t.Run(p.name, p.looksRight)
				}
			}
		})
	}
}

func (p place) looksRight(t *testing.T) {
	t.Parallel()
	for _, l := range looks {
		t.Run(fmt.Sprint(l.width), func(t *testing.T) {
			tb := p.open(t, l)
			tb.narrow()
			p.compare(tb, l)
			tb.usable(everything)
			l.theme = "dark"
			tb.wear(l.theme)
			tb.settle()
			p.compare(tb, l)
			tb.usable(contrast)
			tb.close()
		})
	}
}

// No picture is kept that nothing is compared with.
func TestExternalPicturesLeft(t *testing.T) {
	compared := map[string]bool{}
	for _, p := range everyPlace {
		for _, l := range looks {
			for _, l.theme = range []string{"light", "dark"} {
				compared[p.file(l)] = true
			}
		}
	}
	kept, err := os.ReadDir(filepath.Join("testdata", "shots"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range kept {
		if !compared[file.Name()] {
			t.Errorf("%s is no picture of a place", file.Name())
		}
	}
}

// compare looks at the place as it is now.
func (p place) compare(tb *tab, l look) {
	tb.t.Helper()
	shot := tb.picture()
	keepPicture(tb.t, p.file(l), shot)
	comparePicture(tb.t, p.file(l), shot)
}

// narrow wants that nobody has to scroll sideways.
func (tb *tab) narrow() {
	tb.t.Helper()
	if over := eval[int](tb, "document.documentElement.scrollWidth - innerWidth"); over > 0 {
		tb.t.Errorf("the page is %d px too wide", over)
	}
}

// most is how much of a page is looked at, from its top. Tables go on for long.
const most = 1800

// picture is the page, also what is below the window, unless something lies over it.
func (tb *tab) picture() image.Image {
	tb.t.Helper()
	eval[chromedp.Void](tb, steady)
	size := eval[[]float64](tb, `[innerWidth, covered() ? innerHeight : Math.max(innerHeight, document.documentElement.scrollHeight)];
	  function covered() { return [...document.querySelectorAll("dialog[open], .panel")].some(e => getComputedStyle(e).position == "fixed"); }`)
	beyond := true
	raw, err := chromedp.Call(tb.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
		CaptureBeyondViewport: &beyond, Clip: &page.Viewport{Width: size[0], Height: min(size[1], most), Scale: 1},
	})
	tb.must(err)
	shot, err := png.Decode(bytes.NewReader(raw.Data))
	tb.must(err)
	return shot
}

// steady stops what differs from one time to the next: carets that blink, and the port of the server.
const steady = `{
document.documentElement.style.caretColor = "transparent";
const always = text => text.replaceAll(location.host, "127.0.0.1:8081").replaceAll("port=" + location.port, "port=8081");
for (const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); words.nextNode();) {
  const {currentNode: text} = words;
  if (always(text.data) != text.data) text.data = always(text.data);
}}`

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

//go:embed testdata/axe/axe.min.js
var axe string

// What axe looks for. In another theme only contrast differs.
const (
	everything = `{resultTypes: ["violations"]}`
	contrast   = `{resultTypes: ["violations"], runOnly: ["color-contrast"]}`
)

// A finding is what axe has against a page.
type finding struct {
	ID, Help string
	Nodes    []struct {
		HTML           string
		FailureSummary string
	}
}

// usable wants that axe finds nothing: contrast, names, roles, order.
func (tb *tab) usable(what string) {
	tb.t.Helper()
	if !eval[bool](tb, "'axe' in globalThis") {
		eval[chromedp.Void](tb, axe)
	}
	text := eval[string](tb, `axe.run(document, `+what+`).then(r => JSON.stringify(r.violations))`)
	var findings []finding
	tb.must(json.Unmarshal([]byte(text), &findings))
	for _, f := range findings {
		for _, n := range f.Nodes {
			tb.t.Errorf("%s (%s): %s\n%s", f.ID, f.Help, n.HTML, n.FailureSummary)
		}
	}
}
