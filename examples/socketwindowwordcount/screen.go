package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// showScreen runs the job behind a live table; a key ends both.
func showScreen(ctx context.Context, addr, page string, b *board, job func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ui := tea.NewProgram(screen{addr: addr, page: page, board: b, started: time.Now(), height: 24, width: 80}, tea.WithoutSignalHandler())
	ended := make(chan error, 1)
	go func() { // ends with ctx or its input; its error is what showScreen returns
		err := job(ctx)
		ui.Quit()
		ended <- err
	}()
	_, err := ui.Run()
	cancel()
	if jobErr := unlessCancelled(<-ended); jobErr != nil {
		return jobErr
	}
	return err
}

// screen is the table of counts.
type screen struct {
	addr, page    string
	board         *board
	started       time.Time
	width, height int
}

type tick time.Time

func (s screen) Init() tea.Cmd { return nextTick() }

func nextTick() tea.Cmd {
	return tea.Tick(200*time.Millisecond, func(t time.Time) tea.Msg { return tick(t) })
}

func (s screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tick:
		return s, nextTick()
	case tea.WindowSizeMsg:
		s.width, s.height = m.Width, m.Height
	case tea.KeyPressMsg:
		return s, tea.Quit
	}
	return s, nil
}

var (
	title = lipgloss.NewStyle().Bold(true)
	faint = lipgloss.NewStyle().Faint(true)
	bar   = lipgloss.NewStyle().Foreground(lipgloss.Color("6"))
)

func (s screen) View() tea.View {
	f := s.board.frame()
	var b strings.Builder
	fmt.Fprintln(&b, title.Render(jobName)+faint.Render("  "+s.addr+fmt.Sprintf("  %.0f s, any key ends", time.Since(s.started).Seconds())))
	fmt.Fprintln(&b, faint.Render("its four graphs, live: ")+"http://"+s.page)
	if f.Window == 0 {
		fmt.Fprintf(&b, "\nThe first window closes within %s ...\n", windowSize)
		return tea.NewView(b.String())
	}
	fmt.Fprintf(&b, "window %d: %d words, %d different\n\n", f.Window, f.words(), len(f.Counts))
	fmt.Fprintln(&b, faint.Render(fmt.Sprintf("%-16s %6s  %-7s", "word", "count", "subtask")))
	for _, e := range f.Counts[:min(len(f.Counts), max(s.height-7, 1))] {
		fmt.Fprintln(&b, s.row(e, f.Counts[0].Count))
	}
	return tea.NewView(b.String())
}

func (s screen) row(e entry, most int) string {
	room := max(s.width-36, 1)
	return fmt.Sprintf("%-16.16s %6d  %-7s %s", e.Word, e.Count, e.Subtask, bar.Render(strings.Repeat("█", max(1, e.Count*room/most))))
}
