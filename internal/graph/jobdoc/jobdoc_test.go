package jobdoc_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/graphtest"
	"github.com/flott-dev/flott/internal/graph/jobdoc"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

const words = `
job Count
parallelism 2
s = source
m = map s uid=m
k = keyby m
r = reduce k uid=count
o = print r
`

func compile(t *testing.T, text string) *jobgraph.Graph {
	t.Helper()
	g, err := graphtest.Job(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestRoundTrip(t *testing.T) {
	g := compile(t, words)
	g.ID, g.Restart = id.Job{1}, program.DefaultRestart()
	text, err := jobdoc.Encode(g)
	if err != nil {
		t.Fatal(err)
	}
	back, err := jobdoc.Decode(text)
	if err != nil || !reflect.DeepEqual(g, back) {
		t.Errorf("%v: %+v became %+v", err, g, back)
	}
}

// The fingerprint must be the same in all processes, also of other versions that read the format.
func TestFingerprintIsFrozen(t *testing.T) {
	const want = "947de95c96967cbfa7e63660830dcc68e91dcc59902be74dd1bf8b781e1d385e"
	g := compile(t, words)
	if got := jobdoc.Fingerprint(g); got != want {
		t.Errorf("the fingerprint is %s, not %s: raise Format if the document has changed", got, want)
	}
	g.ID, g.Restart = id.Job{1}, program.RestartStrategy{Type: program.FixedDelay, Fixed: program.FixedRestart{Delay: time.Second}}
	if got := jobdoc.Fingerprint(g); got != want {
		t.Error("the fingerprint depends on the id of the job, or on its restart strategy")
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, "EOF"},
		{`{"Format":1,"Graph":{}} {}`, "follows"},
		{`{"Format":2,"Graph":{"Other":1}}`, "has format 2; this version of flott reads format 1"},
		{`{"Format":1,"Graph":{"Other":1}}`, `unknown field "Other"`},
		{`{"Format":1,"Graph":{"ID":"12"}}`, "not 32 hexadecimal digits"},
		{`{"Format":1,"Graph":{"Created":[0]}}`, "vertices in order of creation: there is no number 0 of 0"},
		{`{"Format":1,"Graph":{"Vertices":[{"Name":"v","Parallelism":1}]}}`, `vertex "v" has max parallelism 0`},
	} {
		if _, err := jobdoc.Decode([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, without %q", c.text, err, c.want)
		}
	}
}

// Whatever a document says, who reads it finds a graph that can be used, or an error.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{words, "s = source p=2\nk = keyby s\nr = reduce k\nu = union s r\no = print u p=3\n"} {
		g, err := graphtest.Job(text)
		if err != nil {
			f.Fatal(err)
		}
		doc, err := jobdoc.Encode(g)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		g, err := jobdoc.Decode(doc)
		if err != nil {
			return
		}
		if d := jobdoc.Difference(g, g); d != "" {
			t.Errorf("it differs from itself: %s", d)
		}
		jobdoc.Fingerprint(g)
		e, err := execgraph.From(g)
		if err != nil {
			return
		}
		e.Slots()
		e.Regions()
	})
}

func TestDifference(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"none", "", "", ""},
		{
			"name", "job Count", "job Counts",
			`the name of the job was submitted as "Count" and is built as "Counts"`,
		},
		{
			"parallelism", "uid=count", "uid=count p=4 name=r",
			`the parallelism of operator "r" (uid "count") was submitted as 2 and is built as 4`,
		},
		{
			"uid", "uid=count", "uid=counts",
			`operator 3 was submitted as operator "r" (uid "count") and is built as operator "r" (uid "counts")`,
		},
		{
			"other operator", "m = map s uid=m", "m = map s uid=m name=filter",
			`operator 2 was submitted as operator "m" (uid "m") and is built as operator "filter" (uid "m")`,
		},
		{
			"more", "o = print r", "o = print r\nu = print m",
			`operator "Sink: u" is built and was not submitted`,
		},
		{
			"fewer", "o = print r", "",
			`operator "Sink: o" was submitted and is not built`,
		},
		{
			"edge", "k = keyby m", "k = rebalance m",
			`the partitioning from operator "m" (uid "m") to input 1 of vertex "r -> Sink: o" was submitted as "HASH" and is built as "REBALANCE"`,
		},
		{
			"anything else", "uid=m", "uid=m timeout=7",
			`Vertices[0].Produces[0].BufferTimeoutMs was submitted as 100 and is built as 7`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			submitted, built := compile(t, words), compile(t, strings.Replace(words, c.from, c.to, 1))
			got := jobdoc.Difference(submitted, built)
			if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("the difference is\n%s\nwithout\n%s", got, c.want)
			}
			if (got == "") != (jobdoc.Fingerprint(submitted) == jobdoc.Fingerprint(built)) {
				t.Error("fingerprints say otherwise")
			}
		})
	}
}
