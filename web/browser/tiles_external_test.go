//go:build external

package browser

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Pictures are kept at a third of their size and with few colours, which makes their files small. They are compared tile by tile, as a
// button that is gone is little of a page, but all of the place where it was. A tile's mean colour counts: it forgives how letters are
// drawn, as their ink only moves within the tile, and nothing that people would see.
const (
	shrink = 3
	levels = 16 // of each colour
	tile   = 3  // points of the small picture: 9 of the page
	bound  = 32 // of the difference of a tile's red, green or blue, which are up to 255
)

// comparePicture wants the picture that is committed. If it is another one, both are written, and where they differ.
func comparePicture(t *testing.T, name string, shot image.Image) {
	t.Helper()
	path := filepath.Join("testdata", "shots", name)
	is := shrunk(shot)
	if *update {
		writePicture(t, path, is)
		return
	}
	was := readPicture(t, path)
	if was.Bounds() != is.Bounds() {
		t.Errorf("%s: it is %v, and was %v: %s", name, is.Bounds().Max, was.Bounds().Max, report(t, name, is, was, nil))
		return
	}
	if tiles := different(is, was); len(tiles) > 0 {
		t.Errorf("%s: %d tiles of it look otherwise, the first at %v: %s", name, len(tiles), tiles[0].Min.Mul(shrink), report(t, name, is, was, tiles))
	}
}

func readPicture(t *testing.T, path string) *image.RGBA {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return plain(kept)
}

// plain is a picture whose points can be reached quickly.
func plain(from image.Image) *image.RGBA {
	p := image.NewRGBA(image.Rectangle{Max: from.Bounds().Size()})
	draw.Draw(p, p.Bounds(), from, from.Bounds().Min, draw.Src)
	return p
}

// report writes what is, what was, and where they differ, side by side.
func report(t *testing.T, name string, is, was *image.RGBA, tiles []image.Rectangle) (where string) {
	t.Helper()
	folder := filepath.Join(os.TempDir(), "flott-pictures")
	width, height := max(is.Rect.Dx(), was.Rect.Dx()), max(is.Rect.Dy(), was.Rect.Dy())
	all := image.NewRGBA(image.Rect(0, 0, 3*width, height))
	for i, p := range []*image.RGBA{was, is, framed(is, tiles)} {
		draw.Draw(all, p.Rect.Add(image.Pt(i*width, 0)), p, image.Point{}, draw.Src)
	}
	path := filepath.Join(folder, name)
	writePicture(t, path, all)
	return path + " has what was, what is, and where they differ; if it is right, run with -update"
}

// framed is the picture with frames around tiles.
func framed(p *image.RGBA, tiles []image.Rectangle) *image.RGBA {
	p = plain(p)
	for _, r := range tiles {
		for _, side := range []image.Rectangle{
			{r.Min, image.Pt(r.Max.X, r.Min.Y+1)},
			{r.Min, image.Pt(r.Min.X+1, r.Max.Y)},
			{image.Pt(r.Min.X, r.Max.Y-1), r.Max},
			{image.Pt(r.Max.X-1, r.Min.Y), r.Max},
		} {
			draw.Draw(p, side, image.NewUniform(color.RGBA{R: 255, A: 255}), image.Point{}, draw.Src)
		}
	}
	return p
}

// shrunk is the picture with the mean of some points in place of each.
func shrunk(shot image.Image) *image.RGBA {
	from := plain(shot)
	small := image.NewRGBA(image.Rectangle{Max: from.Rect.Max.Div(shrink)})
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			small.SetRGBA(x, y, mean(from, x*shrink, y*shrink))
		}
	}
	return small
}

func mean(p *image.RGBA, x, y int) color.RGBA {
	var r, g, b int
	for dy := range shrink {
		row := p.Pix[p.PixOffset(x, y+dy):][:4*shrink]
		for i := 0; i < len(row); i += 4 {
			r, g, b = r+int(row[i]), g+int(row[i+1]), b+int(row[i+2])
		}
	}
	return color.RGBA{coarse(r), coarse(g), coarse(b), 255}
}

// coarse is the nearest of the levels to the mean of points.
func coarse(sum int) uint8 {
	const points, step = shrink * shrink, 255 / (levels - 1)
	return uint8((sum/points + step/2) / step * step)
}

// different is the tiles of two pictures of the same size that look otherwise.
func different(a, b *image.RGBA) (tiles []image.Rectangle) {
	for y := range a.Rect.Max.Y - tile + 1 {
		for x := range a.Rect.Max.X - tile + 1 {
			if far(a, b, x, y) {
				tiles = append(tiles, image.Rect(x, y, x+tile, y+tile))
			}
		}
	}
	return tiles
}

// far says that the tile at a point has another colour.
func far(a, b *image.RGBA, x, y int) bool {
	var sum [4]int // of the differences of red, green, blue and opacity
	for dy := range tile {
		at := a.PixOffset(x, y+dy)
		for i := range 4 * tile {
			sum[i%4] += int(a.Pix[at+i]) - int(b.Pix[at+i])
		}
	}
	return max(slices.Max(sum[:]), -slices.Min(sum[:])) > bound*tile*tile
}
