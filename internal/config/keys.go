package config

import (
	"fmt"
	"strings"
)

// A Key is one setting. Names are Flink's where the meaning is.
type Key struct {
	Name    string
	Option  string // of flott.New that makes the same setting; "": none does
	Default string // in words
	Meaning string // Markdown, for the documentation
}

// Keys are all settings that there are.
var Keys = []Key{
	{"parallelism.default", "Parallelism", "GOMAXPROCS; 1 in the role plan", "subtasks of an operator that chooses none"},
	{"pipeline.max-parallelism", "MaxParallelism", "by parallelism, at least 128", "key groups, and the largest parallelism an operator can ever have"},
	{"pipeline.operator-chaining.enabled", "DisableChaining", "true", "operators may be joined into one task"},
	{"execution.buffer-timeout.interval", "BufferTimeout", "100 ms", "the longest that a record waits for its block to fill; negative: only full blocks are sent"},
	{"execution.flush-gap", "FlushGap", "0 ms", "the shortest time between two flushes of a task that has nothing else to do"},
	{"state.backend.type", "HeapState", "hashmap", "where keyed state is: on the heap"},
	{"rest.port", "", "none", "the job serves [Flink's REST API](rest.md) on this port of 127.0.0.1 while it runs; 0: any that is free, which the log names"},
	{"restart-strategy.type", "RestartNone", "none", "what happens after a failure: `none`, `fixed-delay`, `exponential-delay`, `failure-rate`"},
	{"restart-strategy.fixed-delay.attempts", "RestartFixed", "1", "how often the job starts again"},
	{"restart-strategy.fixed-delay.delay", "RestartFixed", "1 s", "how long after a failure"},
	{"restart-strategy.exponential-delay.initial-backoff", "RestartExponential", "1 s", "how long after the first failure the job starts again"},
	{"restart-strategy.exponential-delay.max-backoff", "RestartExponential", "1 min", "the longest delay"},
	{"restart-strategy.exponential-delay.backoff-multiplier", "", "1.5", "how much longer each delay is than the one before"},
	{"restart-strategy.exponential-delay.jitter-factor", "", "0.1", "the part of the delay that is left to chance"},
	{"restart-strategy.exponential-delay.reset-backoff-threshold", "", "1 h", "after so long without a failure the delay is as at first"},
	{"restart-strategy.exponential-delay.attempts-before-reset-backoff", "", "2147483647", "how often the job starts again before that"},
	{"restart-strategy.failure-rate.max-failures-per-interval", "RestartFailureRate", "1", "with more failures within the interval the job is over"},
	{"restart-strategy.failure-rate.failure-rate-interval", "RestartFailureRate", "1 min", "the interval"},
	{"restart-strategy.failure-rate.delay", "RestartFailureRate", "1 s", "how long after a failure the job starts again"},
}

// Variable is the name of the key's environment variable: a.b-c is FLOTT_A_B_C.
func (k Key) Variable() string {
	return prefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(k.Name))
}

// Markdown is the table of all keys as the documentation has it.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| key | variable | option | default | meaning |\n| --- | --- | --- | --- | --- |\n")
	for _, k := range Keys {
		option := ""
		if k.Option != "" {
			option = "`" + k.Option + "`"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s |\n", k.Name, k.Variable(), option, k.Default, k.Meaning)
	}
	return b.String()
}
