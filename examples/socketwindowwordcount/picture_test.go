package main

import (
	"strings"
	"testing"
)

func TestPicture(t *testing.T) {
	p := picture{
		columns: []column{{"", []string{"a 1/1"}}, {"b", []string{"1/2", "2/2"}}, {"", []string{"1/2", "2/2"}}, {"OneTwo three", []string{"1/2", "2/2"}}},
		links:   []link{{"ONE", false}, {"ALL", false}, {"PAIR", true}},
	}
	for width, want := range map[int]string{
		80: `
                b                            OneTwo three
┌───────┐  ONE  ┌─────┐  ALL  ┌─────┐  PAIR  ┌──────────┐
│ a 1/1 │───┬──▶│ 1/2 │───┬──▶│ 1/2 │───────▶│ 1/2      │
└───────┘   │   └─────┘   │   └─────┘        └──────────┘
            │             │
            │   ┌─────┐   │   ┌─────┐        ┌──────────┐
            └──▶│ 2/2 │───┴──▶│ 2/2 │───────▶│ 2/2      │
                └─────┘       └─────┘        └──────────┘
`,
		52: `
                b                            OneTwo
                                             three
┌───────┐  ONE  ┌─────┐  ALL  ┌─────┐  PAIR  ┌─────┐
│ a 1/1 │───┬──▶│ 1/2 │───┬──▶│ 1/2 │───────▶│ 1/2 │
`,
	} {
		got := p.fitted(width)
		if want = strings.TrimPrefix(want, "\n"); !strings.HasPrefix(got, want) {
			t.Errorf("in %d columns got\n%s\nwant\n%s", width, got, want)
		}
	}
}
