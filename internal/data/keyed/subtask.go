package keyed

import (
	"context"
	"log/slog"
)

// A Subtask is what a function may know of where it runs.
type Subtask struct {
	Context            context.Context // cancelled when the task is
	Logger             *slog.Logger
	Index, Parallelism int
}

// Nowhere is where a function runs that only declares its states while the program is compiled.
func Nowhere() Subtask {
	return Subtask{context.Background(), slog.New(slog.DiscardHandler), 0, 1}
}
