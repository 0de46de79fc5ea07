package flott

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/flott-dev/flott/internal/graph/program"
)

// configFile is read from the folder in which the program runs, if it is there.
const configFile = "flott.yaml"

// A key is one setting that flott.yaml and FLOTT_* variables can make. Names are Flink's where the meaning is.
type key struct {
	name string
	set  func(*settings, string) error
}

var keys = []key{
	{"parallelism.default", number((*settings).setParallelism)},
	{"pipeline.max-parallelism", number((*settings).setMaxParallelism)},
	{"pipeline.operator-chaining.enabled", truth(func(s *settings, on bool) { s.config.Chaining = on })},
	{"execution.buffer-timeout.interval", duration((*settings).setBufferTimeout)},
	{"execution.flush-gap", duration((*settings).setFlushGap)},
	{"state.backend.type", oneOf("hashmap")},
	{"rest.port", number((*settings).setRESTPort)},
	{"restart-strategy.type", (*settings).setRestartType},
	{"restart-strategy.fixed-delay.attempts", restartNumber(func(r *program.RestartStrategy) *int { return &r.Fixed.Attempts })},
	{"restart-strategy.fixed-delay.delay", restartDelay(func(r *program.RestartStrategy) *time.Duration { return &r.Fixed.Delay })},
	{"restart-strategy.exponential-delay.initial-backoff", restartDelay(func(r *program.RestartStrategy) *time.Duration { return &r.Exponential.Initial })},
	{"restart-strategy.exponential-delay.max-backoff", restartDelay(func(r *program.RestartStrategy) *time.Duration { return &r.Exponential.Max })},
	{"restart-strategy.exponential-delay.backoff-multiplier", restartFactor(func(r *program.RestartStrategy) *float64 { return &r.Exponential.Multiplier })},
	{"restart-strategy.exponential-delay.jitter-factor", restartFactor(func(r *program.RestartStrategy) *float64 { return &r.Exponential.Jitter })},
	{"restart-strategy.exponential-delay.reset-backoff-threshold", restartDelay(func(r *program.RestartStrategy) *time.Duration { return &r.Exponential.ResetAfter })},
	{"restart-strategy.exponential-delay.attempts-before-reset-backoff", restartNumber(func(r *program.RestartStrategy) *int { return &r.Exponential.Attempts })},
	{"restart-strategy.failure-rate.max-failures-per-interval", restartNumber(func(r *program.RestartStrategy) *int { return &r.Rate.Failures })},
	{"restart-strategy.failure-rate.failure-rate-interval", restartDelay(func(r *program.RestartStrategy) *time.Duration { return &r.Rate.Interval })},
	{"restart-strategy.failure-rate.delay", restartDelay(func(r *program.RestartStrategy) *time.Duration { return &r.Rate.Delay })},
}

// reserved variables are no settings: they say in which role the program runs.
var reserved = []string{"FLOTT_ROLE", "FLOTT_PLAN_GRAPH", "FLOTT_PLAN_FORMAT", "FLOTT_PLAN_EXPLAIN", "FLOTT_PLAN_OUT"}

// variable is the name of the key's environment variable: a.b-c is FLOTT_A_B_C.
func (k key) variable() string {
	return "FLOTT_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(k.name))
}

// set makes one setting; origin says where the value was found.
func (s *settings) set(k key, value, origin string) {
	if err := k.set(s, value); err != nil {
		s.mistake("%s in %s: %v", k.name, origin, err)
	}
}

func (s *settings) mistake(format string, args ...any) {
	s.mistakes = append(s.mistakes, &Mistake{Problem: fmt.Sprintf(format, args...)})
}

// readVariables makes the settings of the process's environment.
func (s *settings) readVariables(environ []string) {
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if !strings.HasPrefix(name, "FLOTT_") || slices.Contains(reserved, name) || fromKubernetes(name, value) {
			continue
		}
		i := slices.IndexFunc(keys, func(k key) bool { return k.variable() == name })
		if i < 0 {
			s.mistake("the environment variable %s (%q) stands for no setting; it must be one of %s", name, value, keyNames(key.variable))
			continue
		}
		s.set(keys[i], value, "the environment variable "+name)
	}
}

// fromKubernetes says that a variable is one of those that Kubernetes sets in each pod for a service called flott or flott-something. Of a
// service flott-rest it would be FLOTT_REST_PORT, which is also a setting, but then with a number for its value.
func fromKubernetes(name, value string) bool {
	return strings.HasSuffix(name, "_SERVICE_HOST") || strings.HasSuffix(name, "_PORT") && (name == "FLOTT_PORT" || strings.Contains(value, "://")) ||
		strings.Contains(name, "_SERVICE_PORT") || strings.Contains(name, "_PORT_")
}

// keyNames lists the keys, by one of their names.
func keyNames(of func(key) string) string {
	var names []string
	for _, k := range keys {
		names = append(names, of(k))
	}
	return strings.Join(names, ", ")
}

// readFile makes the settings of a configuration file, which need not be there.
func (s *settings) readFile(name string) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var doc yaml.Node
	if err == nil {
		err = yaml.Unmarshal(text, &doc)
	}
	if err != nil {
		s.mistake("%s cannot be read: %v", name, err)
		return
	}
	for _, root := range doc.Content {
		switch {
		case root.Kind == yaml.MappingNode:
			s.readNode(name, "", root, map[string]int{})
		case root.Tag != "!!null":
			s.mistake("%s:%d is no group of keys, as parallelism.default: 2 is", name, root.Line)
		}
	}
}

// readNode makes the settings below one place of the file. Keys may be nested or joined by dots: both are a.b.c. seen has the line
// of each key so far.
func (s *settings) readNode(file, prefix string, n *yaml.Node, seen map[string]int) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			s.readNode(file, joinKey(prefix, n.Content[i].Value), n.Content[i+1], seen)
		}
	case yaml.ScalarNode:
		s.readScalar(prefix, n.Value, fmt.Sprintf("%s:%d", file, n.Line), seen, n.Line)
	default:
		s.mistake("%s in %s:%d is neither a value nor a group of keys", prefix, file, n.Line)
	}
}

func (s *settings) readScalar(name, value, origin string, seen map[string]int, line int) {
	i := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
	switch {
	case seen[name] > 0:
		s.mistake("%s in %s stands in line %d already", name, origin, seen[name])
	case i < 0:
		s.mistake("%s (%q) in %s is no setting; it must be one of %s", name, value, origin, keyNames(func(k key) string { return k.name }))
	default:
		s.set(keys[i], value, origin)
	}
	seen[name] = line
}

func joinKey(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

// What the values of keys may be.

func number(set func(*settings, int) error) func(*settings, string) error {
	return func(s *settings, v string) error {
		n, err := strconv.Atoi(strings.TrimSpace(v))
		if err != nil {
			return fmt.Errorf("%q is not a whole number", v)
		}
		return set(s, n)
	}
}

func truth(set func(*settings, bool)) func(*settings, string) error {
	return func(s *settings, v string) error {
		b, err := strconv.ParseBool(strings.TrimSpace(v))
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", v)
		}
		set(s, b)
		return nil
	}
}

// The settings of restart strategies.

func restartNumber(at func(*program.RestartStrategy) *int) func(*settings, string) error {
	return number(func(s *settings, n int) error {
		*at(&s.config.Restart) = n
		return nil
	})
}

func restartDelay(at func(*program.RestartStrategy) *time.Duration) func(*settings, string) error {
	return duration(func(s *settings, d time.Duration) error {
		*at(&s.config.Restart) = d
		return nil
	})
}

func restartFactor(at func(*program.RestartStrategy) *float64) func(*settings, string) error {
	return func(s *settings, v string) error {
		f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", v)
		}
		*at(&s.config.Restart) = f
		return nil
	}
}

// duration takes Go's form, 100ms, and Flink's, 100 ms and 1 min.
func duration(set func(*settings, time.Duration) error) func(*settings, string) error {
	return func(s *settings, v string) error {
		text := strings.ReplaceAll(v, " ", "")
		if minutes, ok := strings.CutSuffix(text, "min"); ok {
			text = minutes + "m"
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is not a duration such as 100ms", v)
		}
		return set(s, d)
	}
}

func oneOf(values ...string) func(*settings, string) error {
	return func(_ *settings, v string) error {
		if !slices.Contains(values, v) {
			return fmt.Errorf("%q is not one of %s", v, strings.Join(values, ", "))
		}
		return nil
	}
}
