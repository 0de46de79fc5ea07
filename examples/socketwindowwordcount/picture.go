package main

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A picture is columns of boxes, from left to right, with what connects each column to the next.
type picture struct {
	columns []column
	links   []link // one fewer than columns
}

// A column has a title above its boxes, which may be empty.
type column struct {
	title string
	boxes []string
}

// A link connects two columns: box by box, or all with all.
type link struct {
	label    string
	pairwise bool
}

// fitted draws the picture with as few breaks in its texts as a width allows.
func (p picture) fitted(width int) string {
	var drawn string
	for _, room := range []int{80, 40, 24, 18, 14, 10, 6} {
		if drawn = p.draw(room); widest(strings.Split(drawn, "\n")) <= width {
			break
		}
	}
	return drawn
}

// draw draws the picture with texts broken into lines of at most room runes, where they can be.
func (p picture) draw(room int) string {
	g := &grid{}
	l := layout{room: room}
	for _, c := range p.columns {
		l.titles = max(l.titles, len(l.broken(c.title)))
		for _, b := range c.boxes {
			l.lines = max(l.lines, len(l.broken(b)))
		}
	}
	x := 0
	for i, c := range p.columns {
		x = l.column(g, x, c)
		if i < len(p.links) {
			x = l.link(g, x, p.links[i], len(c.boxes), len(p.columns[i+1].boxes))
		}
	}
	return g.String()
}

// A layout is where rows and columns of a picture are.
type layout struct {
	room   int // runes in a line
	titles int // lines of the highest title
	lines  int // lines in each box
}

// row is the row of the i-th box's first line of text.
func (l layout) row(i int) int { return l.titles + i*(l.lines+3) + 1 }

// column draws a column at x and returns where it ends.
func (l layout) column(g *grid, x int, c column) int {
	title := l.broken(c.title)
	width := widest(title)
	for _, b := range c.boxes {
		width = max(width, widest(l.broken(b))+4)
	}
	g.lines(x, 0, title)
	for i, b := range c.boxes {
		y := l.row(i)
		g.text(x, y-1, "┌"+strings.Repeat("─", width-2)+"┐")
		for k := range l.lines {
			g.text(x, y+k, "│"+strings.Repeat(" ", width-2)+"│")
		}
		g.lines(x+2, y, l.broken(b))
		g.text(x, y+l.lines, "└"+strings.Repeat("─", width-2)+"┘")
	}
	return x + width
}

// link connects left boxes that end at x with right ones, and returns where these begin.
func (l layout) link(g *grid, x int, k link, left, right int) int {
	width := utf8.RuneCountInString(k.label) + 4
	bus, end := x+width/2, x+width-1
	g.text(x+2, l.row(0)-1, k.label)
	for i := range left {
		g.text(x, l.row(i), strings.Repeat("─", bus-x))
	}
	for i := range right {
		g.text(bus, l.row(i), strings.Repeat("─", end-bus)+"▶")
	}
	first, last := l.row(0), l.row(max(left, right)-1)
	for y := first; y <= last && !k.pairwise; y++ {
		g.text(bus, y, junction(y > first, y < last, l.begins(y, left), l.begins(y, right)))
	}
	return x + width
}

// begins says that one of n boxes has its first line of text in row y.
func (l layout) begins(y, n int) bool {
	i := (y - l.row(0)) / (l.lines + 3)
	return i < n && y == l.row(i)
}

// junction is the line that leaves in these directions.
func junction(up, down, left, right bool) string {
	const lines = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
	i := 0
	for bit, on := range []bool{up, down, left, right} {
		if on {
			i |= 1 << bit
		}
	}
	return string([]rune(lines)[i])
}

// broken is a text in lines, broken at spaces and before capital letters inside of words.
func (l layout) broken(text string) (lines []string) {
	for _, part := range parts(text) {
		last := len(lines) - 1
		if last >= 0 && utf8.RuneCountInString(lines[last]+strings.TrimRight(part, " ")) <= l.room {
			lines[last] += part
		} else {
			lines = append(lines, part)
		}
	}
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

// parts cuts a text where it may be broken. Joined they are the text.
func parts(text string) (all []string) {
	var previous rune
	for _, r := range text {
		if len(all) == 0 || previous == ' ' || unicode.IsUpper(r) && unicode.IsLower(previous) {
			all = append(all, "")
		}
		all[len(all)-1] += string(r)
		previous = r
	}
	return all
}

func widest(lines []string) int {
	n := 0
	for _, l := range lines {
		n = max(n, utf8.RuneCountInString(l))
	}
	return n
}

// A grid is text that is written anywhere.
type grid [][]rune

func (g *grid) text(x, y int, s string) {
	for len(*g) <= y {
		*g = append(*g, nil)
	}
	line := (*g)[y]
	for _, r := range s {
		for len(line) <= x {
			line = append(line, ' ')
		}
		line[x] = r
		x++
	}
	(*g)[y] = line
}

func (g *grid) lines(x, y int, lines []string) {
	for i, l := range lines {
		g.text(x, y+i, l)
	}
}

func (g *grid) String() string {
	var b strings.Builder
	for _, line := range *g {
		b.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	return b.String()
}
