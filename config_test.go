package flott_test

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott"
)

// inFolder runs the test in an empty folder, with a flott.yaml if there is a text for it.
func inFolder(t *testing.T, yaml string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if yaml == "" {
		return
	}
	if err := os.WriteFile("flott.yaml", []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
}

// parallelismOf is the parallelism of an operator that chooses none, as plans print it.
func parallelismOf(t *testing.T, opts ...flott.Option) string {
	t.Helper()
	env := flott.New(opts...)
	env.From(flott.Sequence(1, 2)).Name("it").Discard()
	plan, err := env.Plan("p")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(plan.Text(flott.StreamGraph)) {
		if _, after, found := strings.Cut(line, "Source: it ×"); found {
			return strings.TrimSpace(after)
		}
	}
	t.Fatalf("no parallelism in\n%s", plan.Text(flott.StreamGraph))
	return ""
}

func TestPrecedence(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	inFolder(t, "")
	if got := parallelismOf(t); got != "3" {
		t.Errorf("with no setting the parallelism is %s, want GOMAXPROCS, 3", got)
	}
	inFolder(t, "parallelism.default: 5")
	if got := parallelismOf(t); got != "5" {
		t.Errorf("with a file the parallelism is %s, want 5", got)
	}
	t.Setenv("FLOTT_PARALLELISM_DEFAULT", "6")
	if got := parallelismOf(t); got != "6" {
		t.Errorf("with file and variable the parallelism is %s, want 6", got)
	}
	if got := parallelismOf(t, flott.Parallelism(7)); got != "7" {
		t.Errorf("with file, variable and code the parallelism is %s, want 7", got)
	}
}

// A plan is the same on every machine.
func TestParallelismOfPlans(t *testing.T) {
	inFolder(t, "")
	t.Setenv("FLOTT_ROLE", "plan")
	if got := parallelismOf(t); got != "1" {
		t.Errorf("in the role plan the parallelism is %s, want 1", got)
	}
}

func TestFileForms(t *testing.T) {
	for name, yaml := range map[string]string{
		"flat":   "parallelism.default: 5\npipeline.max-parallelism: 64\nexecution.buffer-timeout.interval: 20 ms\n",
		"nested": "parallelism:\n  default: 5\npipeline:\n  max-parallelism: 64\nexecution:\n  buffer-timeout.interval: 20ms\n",
		"empty":  "# nothing\nparallelism.default: 5\n",
	} {
		t.Run(name, func(t *testing.T) {
			inFolder(t, yaml)
			if got := parallelismOf(t); !strings.HasPrefix(got, "5") {
				t.Errorf("parallelism is %s, want 5", got)
			}
		})
	}
}

func TestBadSettings(t *testing.T) {
	for name, c := range map[string]struct {
		yaml      string
		variables map[string]string
		opts      []flott.Option
		want      []string // of each mistake: key, value, origin
	}{
		"unknown key":      {yaml: "\nparalelism.default: 2", want: []string{`paralelism.default ("2") in flott.yaml:2 is no setting; the nearest one is parallelism.default`}},
		"bad value":        {yaml: "parallelism.default: many", want: []string{`parallelism.default in flott.yaml:1: "many" is not a whole number`}},
		"value too small":  {yaml: "parallelism:\n  default: 0", want: []string{"parallelism.default in flott.yaml:2: the default parallelism is 0"}},
		"same key twice":   {yaml: "parallelism.default: 1\nparallelism:\n  default: 2", want: []string{"parallelism.default in flott.yaml:3 stands in line 1 already"}},
		"a list":           {yaml: "parallelism.default: [1, 2]", want: []string{"parallelism.default in flott.yaml:1 is neither a value nor a group of keys"}},
		"no keys":          {yaml: "- a\n- b", want: []string{"flott.yaml:1 is no group of keys"}},
		"one word":         {yaml: "# so\nwhat", want: []string{"flott.yaml:2 is no group of keys"}},
		"no yaml":          {yaml: "a: [", want: []string{"flott.yaml cannot be read: "}},
		"bad duration":     {yaml: "execution.flush-gap: soon", want: []string{`execution.flush-gap in flott.yaml:1: "soon" is not a duration`}},
		"no patience":      {yaml: "diagnosis.patience: 0 s", want: []string{"diagnosis.patience in flott.yaml:1: it is 0s; it must be above zero"}},
		"bad word":         {yaml: "state.backend.type: rocksdb", want: []string{`state.backend.type in flott.yaml:1: "rocksdb" is not one of hashmap`}},
		"bad truth":        {yaml: "pipeline.operator-chaining.enabled: perhaps", want: []string{`"perhaps" is neither true nor false`}},
		"unknown variable": {variables: map[string]string{"FLOTT_PARALELISM": "2"}, want: []string{`the environment variable FLOTT_PARALELISM ("2") stands for no setting; the nearest one is FLOTT_PARALLELISM_DEFAULT`}},
		"bad variable":     {variables: map[string]string{"FLOTT_PIPELINE_MAX_PARALLELISM": "x"}, want: []string{`pipeline.max-parallelism in the environment variable FLOTT_PIPELINE_MAX_PARALLELISM: "x" is not a whole number`}},
		"bad role":         {variables: map[string]string{"FLOTT_ROLE": "boss"}, want: []string{`FLOTT_ROLE is "boss"`}},
		"bad printout": {
			variables: map[string]string{"FLOTT_ROLE": "plan", "FLOTT_PLAN_GRAPH": "all", "FLOTT_PLAN_FORMAT": "xml", "FLOTT_PLAN_EXPLAIN": "perhaps"},
			want:      []string{`FLOTT_PLAN_GRAPH is "all"; it must be stream, job`, `FLOTT_PLAN_FORMAT is "xml"; it must be text`, `FLOTT_PLAN_EXPLAIN is "perhaps"; it must be true`},
		},
		"bad options":       {opts: []flott.Option{flott.Parallelism(0), flott.MaxParallelism(40000), flott.FlushGap(-1), flott.BufferTimeout(time.Microsecond), flott.Stdout(nil)}, want: []string{"the default parallelism is 0", "the default max parallelism is 40000", "the flush gap is -1ns", "the buffer timeout is 1µs", "the writer for Stdout is nil"}},
		"bad together":      {opts: []flott.Option{flott.Parallelism(3), flott.MaxParallelism(2)}, want: []string{"the default parallelism is 3, above the max parallelism 2"}},
		"Kubernetes's own":  {variables: map[string]string{"FLOTT_SERVICE_HOST": "10.0.0.1", "FLOTT_PORT_80_TCP": "tcp://10.0.0.1:80"}},
		"a port and none":   {variables: map[string]string{"FLOTT_REST_PORT": "0", "FLOTT_PAGE_PORT": "tcp://10.0.0.1:80"}},
		"a port too large":  {yaml: "rest.port: 65536", want: []string{"rest.port in flott.yaml:1: the port is 65536; it must be between 0"}},
		"nothing at all":    {yaml: "--- # nothing yet"},
		"all good settings": {yaml: "state.backend.type: hashmap\npipeline.operator-chaining.enabled: false\nexecution.flush-gap: 1ms"},
	} {
		t.Run(name, func(t *testing.T) {
			inFolder(t, c.yaml)
			for k, v := range c.variables {
				t.Setenv(k, v)
			}
			env := flott.New(c.opts...)
			env.From(flott.Of(1)).Discard()
			_, err := env.Plan("p")
			var wrong *flott.ProgramError
			if errors.As(err, &wrong) != (len(c.want) > 0) || wrong != nil && len(wrong.Mistakes) != len(c.want) {
				t.Fatalf("error is %v, want %d mistakes", err, len(c.want))
			}
			for i, want := range c.want {
				if got := wrong.Mistakes[i].Problem; !strings.Contains(got, want) {
					t.Errorf("mistake %q, want %q", got, want)
				}
			}
		})
	}
}

func FuzzFile(f *testing.F) {
	f.Add("parallelism.default: 5")
	f.Add("a:\n  b: [1, {c: d}]\n")
	f.Add("? {a: b}\n: c\n&x y: *x")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, yaml string) {
		t.Chdir(dir)
		if err := os.WriteFile("flott.yaml", []byte(yaml), 0o600); err != nil {
			t.Fatal(err)
		}
		env := flott.New()
		env.From(flott.Of(1)).Discard()
		if _, err := env.Plan("p"); err != nil && !errors.As(err, new(*flott.ProgramError)) {
			t.Error(err)
		}
	})
}
